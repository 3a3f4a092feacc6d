import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { environment } from '../../internal/base/settings/config.ts'
import { appName } from '../../web/contract/name.ts'
import { debian, output } from './machine.ts'

/** Everything that buildah keeps stands in one folder, and needs no help of the kernel's. */
export function buildahIn(folder: string): (...words: readonly string[]) => string {
  const store = ['--root', join(folder, 'store'), '--runroot', join(folder, 'run')]
  return (...words) => output('buildah', [...store, '--storage-driver', 'vfs', ...words])
}

const base = 'localhost/base'
const image = `localhost/${appName}`

/** Builds the Dockerfile over a base of this machine's making, since no registry of images is asked. */
export function buildImage(folder: string, project: string): string {
  const buildah = buildahIn(folder)
  makeBase(folder)
  const { npmrc, volumes } = registry(folder)
  const from = ['--build-arg', `BASE=${base}`, '--pull-never', '--format', 'docker']
  const how = ['--isolation', 'chroot', '--network', 'host', ...volumes]
  const secret = ['--secret', `id=npmrc,src=${npmrc}`]
  buildah('bud', '--quiet', ...from, ...how, ...secret, '--tag', image, project)
  return image
}

/** As the official image: Debian with Node and npm under /usr/local. Both are those that run this check. */
function makeBase(folder: string): void {
  const root = join(folder, 'base')
  debian(root, [])
  cpSync(process.execPath, join(root, 'usr/local/bin/node'))
  const { npm_execpath: npm } = environment()
  if (!npm) throw new Error('npm is wanted: run this as `npm run check:image`.')
  const packages = join(root, 'usr/local/lib/node_modules')
  mkdirSync(packages, { recursive: true })
  cpSync(join(dirname(npm), '..'), join(packages, 'npm'), { recursive: true, dereference: true })
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'))
  const buildah = buildahIn(folder)
  const container = buildah('from', 'scratch')
  buildah('copy', '--quiet', container, root, '/')
  buildah('commit', '--quiet', '--rm', container, base)
}

/** Where npm gets packages from on this machine, and the certificates that it trusts, for the npm of the build. */
function registry(folder: string): { npmrc: string; volumes: string[] } {
  const npmrc = join(folder, 'npmrc')
  const { NODE_EXTRA_CA_CERTS: more } = environment()
  const named = [output('npm', ['config', 'get', 'cafile']), more]
  const certificates = named.find((file) => file?.startsWith('/'))
  const lines = [`registry=${output('npm', ['config', 'get', 'registry'])}`]
  if (certificates) lines.push('cafile=/run/certificates.pem')
  writeFileSync(npmrc, lines.join('\n'), { mode: 0o600 })
  const volume = `${certificates}:/run/certificates.pem:ro`
  return { npmrc, volumes: certificates ? ['--volume', volume] : [] }
}
