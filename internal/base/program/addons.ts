import { hash } from 'node:crypto'
import { lstatSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { messageOf } from '../error-message.ts'
import { embedded } from './embedded.ts'
import { sweep } from './leftovers.ts'

interface NativeModule {
  exports: Record<string, unknown>
}

const prefix = 'app-addon-'
const folders: string[] = []
/** The folders and file names from which add-ons were loaded. */
const loaded = { parents: new Set<string>(), files: new Set<string>() }

/**
 * Adds a folder in which native add-ons may be unpacked: the database's, if it has one. It is tried after the
 * folders for temporary files, and before the folder of the executable and the user's home.
 */
export function offerAddonFolder(folder: string | undefined): void {
  if (folder !== undefined) folders.push(folder)
}

/**
 * Loads a native add-on that the build embedded (security rule 18); the build turns imports of `.node` files
 * into calls of this. Throws if no folder accepts it: it must be a file, on a disk that allows programs.
 */
export function loadAddon(name: string, sha256: string): Record<string, unknown> {
  const module: NativeModule = { exports: {} }
  embedded().withContent(`addons/${name}`, (content) =>
    unpack(name, { content, sha256 }, (file) => process.dlopen(module, file)),
  )
  return module.exports
}

/** Deletes the folders left by runs of this build that were killed while loading an add-on. */
export async function sweepAddons(now: Date): Promise<void> {
  const left = { since: new Date(now.getTime() - longestLoad), files: [...loaded.files] }
  // A failure is harmless: a folder that can be written to need not be one that can be listed.
  for (const parent of loaded.parents) await sweep(join(parent, prefix), left).catch(() => {})
}

// Milliseconds: loading takes far less. Younger folders may belong to a program that is starting.
const longestLoad = 60_000

interface Addon {
  readonly content: Uint8Array
  readonly sha256: string
}

/**
 * Writes the add-on into a new private folder, passes it to `load` and removes it; tries folders in order.
 */
export function unpack(
  name: string,
  addon: Addon,
  load: (file: string) => void,
  parents: Iterable<string> = addonFolders(),
): void {
  const refusals: string[] = []
  for (const parent of parents) {
    try {
      return unpackIn(parent, name, addon, load)
    } catch (error) {
      refusals.push(`  ${parent}: ${messageOf(error)}`)
    }
  }
  throw new Error(
    `No folder takes the native add-on ${name}. Set TMPDIR to a folder that this user can write to, ` +
      `on a disk mounted without noexec. Tried:\n${refusals.join('\n')}`,
  )
}

function unpackIn(parent: string, name: string, addon: Addon, load: (file: string) => void): void {
  // An unguessable name, created with mode 0700.
  const folder = mkdtempSync(join(parent, prefix))
  try {
    const fileName = `${addon.sha256}-${name}`
    const file = join(folder, fileName)
    writeFileSync(file, addon.content, { flag: 'wx', mode: 0o500 })
    checkPrivate(folder)
    if (hash('sha256', readFileSync(file)) !== addon.sha256)
      throw new Error('what was written is not what is read')
    load(file)
    loaded.parents.add(parent)
    loaded.files.add(fileName)
  } finally {
    remove(folder)
  }
}

function checkPrivate(folder: string): void {
  // Windows has no modes: there the user's own temporary folder is closed to others.
  if (process.platform === 'win32') return
  const { uid, mode } = lstatSync(folder)
  if (uid !== process.getuid?.() || (mode & 0o777) !== 0o700)
    throw new Error('the folder is open to others')
}

function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    // A folder that stays is harmless, since it is closed to others, and must not hide why the add-on was not
    // loaded. On Windows the file of a loaded add-on cannot be deleted while the program runs.
  }
}

/** Yields the temporary folder, then the user's runtime folder and others that often allow programs. */
function* addonFolders(): Generator<string> {
  yield tmpdir()
  const user = process.getuid?.()
  if (user !== undefined) yield* [`/run/user/${user}`, '/dev/shm', '/var/tmp']
  yield* folders
  yield dirname(process.execPath)
  yield* home()
}

/** Returns the user's home; none if the system does not know the user, as in a container with a mere ID. */
function home(): string[] {
  try {
    return [homedir()]
  } catch {
    return []
  }
}
