import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Manifest } from '../options.ts'
import { partsOf, type Target } from '../executable/targets.ts'

interface Lock {
  readonly packages: Readonly<
    Record<string, { readonly version?: string; readonly integrity?: string }>
  >
}

const cache = 'node_modules/.cache/packages'

/** Returns the path of the runtime that becomes the executable, in the version pinned by package.json. */
export function runtimeFor(target: Target, manifest: Manifest): string {
  const { runtime, program } = partsOf(target)
  return join(packageFolder(runtime, manifest.optionalDependencies[runtime]), program)
}

/** Returns Node's license, which covers everything in Node. Packages without it share the Linux package's. */
export function licenseOfNode(runtimeFolder: string, { optionalDependencies }: Manifest): string {
  const ownLicense = join(runtimeFolder, 'LICENSE')
  const linux = partsOf('linux-x64').runtime
  const file = existsSync(ownLicense)
    ? ownLicense
    : join(packageFolder(linux, optionalDependencies[linux]), 'LICENSE')
  return readFileSync(file, 'utf8')
}

/** Returns the path of a platform's argon2 add-on, in the version pinned by package.json. */
export function argon2For(target: Target, manifest: Manifest): string {
  const { argon2, argon2Addon } = partsOf(target)
  return join(packageFolder(argon2, manifest.dependencies['@node-rs/argon2']), argon2Addon)
}

/**
 * Returns the folder of a package in exactly this version: the installed one, or one downloaded from the registry and
 * cached.
 */
function packageFolder(name: string, version: string | undefined): string {
  if (!version) throw new Error(`package.json pins no version of ${name}`)
  const installed = join('node_modules', name)
  if (versionIn(installed) === version) return installed
  const cached = join(cache, `${name.replace('/', '-')}-${version}`)
  if (versionIn(cached) !== version) fetchPackage(name, version, cached)
  return cached
}

function versionIn(folder: string): string | undefined {
  const file = join(folder, 'package.json')
  if (!existsSync(file)) return undefined
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}

/**
 * Downloads with `npm pack`, which checks the archive against the registry; then checks it against package-lock.json.
 */
function fetchPackage(name: string, version: string, folder: string): void {
  console.log(`Fetching ${name}@${version}`)
  const downloadFolder = `${folder}.fresh`
  rmSync(downloadFolder, { recursive: true, force: true })
  mkdirSync(downloadFolder, { recursive: true })
  const args = [
    'pack',
    `${name}@${version}`,
    '--pack-destination',
    downloadFolder,
    '--json',
    '--ignore-scripts',
  ]
  // npm is a .cmd on Windows, which only a shell can start.
  const output = execFileSync('npm', args, {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  const archive = join(downloadFolder, packedName(output))
  checkIntegrity(name, version, archive)
  execFileSync('tar', ['-xzf', archive, '-C', downloadFolder])
  rmSync(folder, { recursive: true, force: true })
  renameSync(join(downloadFolder, 'package'), folder)
  rmSync(downloadFolder, { recursive: true })
}

/**
 * Returns the file name printed by `npm pack --json`: a list in most versions of npm, an object by name in the newest.
 */
function packedName(output: string): string {
  const archives = JSON.parse(output) as Record<string, { filename: string }>
  const [firstArchive] = Object.values(archives)
  if (!firstArchive) throw new Error(`npm pack wrote nothing: ${output}`)
  return firstArchive.filename
}

function checkIntegrity(name: string, version: string, archive: string): void {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock
  const locked = lock.packages[`node_modules/${name}`]
  if (locked?.version !== version || !locked.integrity) return
  const actual = `sha512-${hash('sha512', readFileSync(archive), 'base64')}`
  if (actual !== locked.integrity)
    throw new Error(
      `${name}@${version} is not what package-lock.json says: ${actual} for ${locked.integrity}`,
    )
}
