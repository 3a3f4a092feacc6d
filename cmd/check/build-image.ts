import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { environment } from '../../internal/base/settings/config.ts'
import { appName } from '../../web/contract/name.ts'
import { debian, output } from './machine.ts'

/** Returns buildah with all its files in one folder, using a storage driver that needs no kernel support. */
export function buildahIn(folder: string): (...args: readonly string[]) => string {
  const storeOptions = ['--root', join(folder, 'store'), '--runroot', join(folder, 'run')]
  return (...args) => output('buildah', [...storeOptions, '--storage-driver', 'vfs', ...args])
}

const baseImage = 'localhost/base'
const image = `localhost/${appName}`

/** Builds the Dockerfile over a base image made on this machine, without an image registry. */
export function buildImage(folder: string, project: string): string {
  const buildah = buildahIn(folder)
  makeBase(folder)
  const { npmrc, volumes } = registry(folder)
  const baseOptions = ['--build-arg', `BASE=${baseImage}`, '--pull-never', '--format', 'docker']
  const runOptions = ['--isolation', 'chroot', '--network', 'host', ...volumes]
  const secretOptions = ['--secret', `id=npmrc,src=${npmrc}`]
  buildah(
    'bud',
    '--quiet',
    ...baseOptions,
    ...runOptions,
    ...secretOptions,
    '--tag',
    image,
    project,
  )
  return image
}

/** Makes a base like the official image: Debian with Node and npm under /usr/local, those that run this check. */
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
  buildah('commit', '--quiet', '--rm', container, baseImage)
}

/** Gives the build's npm this machine's registry, and the certificates that this machine's npm trusts. */
function registry(folder: string): { npmrc: string; volumes: string[] } {
  const npmrc = join(folder, 'npmrc')
  const { NODE_EXTRA_CA_CERTS: extraCertificates } = environment()
  const candidates = [output('npm', ['config', 'get', 'cafile']), extraCertificates]
  const certificates = candidates.find((file) => file?.startsWith('/'))
  const lines = [`registry=${output('npm', ['config', 'get', 'registry'])}`]
  if (certificates) lines.push('cafile=/run/certificates.pem')
  writeFileSync(npmrc, lines.join('\n'), { mode: 0o600 })
  const volume = `${certificates}:/run/certificates.pem:ro`
  return { npmrc, volumes: certificates ? ['--volume', volume] : [] }
}
