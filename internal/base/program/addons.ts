import { hash } from 'node:crypto'
import { lstatSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { embedded } from './embedded.ts'
import { sweep } from './leftovers.ts'

interface NativeModule {
  exports: Record<string, unknown>
}

const prefix = 'app-addon-'
const folders: string[] = []
/** Where add-ons were loaded from, and by which names. */
const loaded = { parents: new Set<string>(), files: new Set<string>() }

/**
 * Names one more folder to unpack native add-ons in: the database's, if it has one. It is tried after those for temporary
 * files, and before the executable's own and the home.
 */
export function offerAddonFolder(folder: string | undefined): void {
  if (folder !== undefined) folders.push(folder)
}

/**
 * Loads a native add-on that the build put in (security rule 18). The build's `.node` imports become calls of
 * this. Throws when no folder takes it: a file can only be loaded from a disk that allows programs.
 */
export function loadAddon(name: string, sha256: string): Record<string, unknown> {
  const module: NativeModule = { exports: {} }
  embedded().withContent(`addons/${name}`, (content) =>
    unpack(name, { content, sha256 }, (file) => process.dlopen(module, file)),
  )
  return module.exports
}

/** Deletes what starts of this build left that were killed as they loaded an add-on, a while before this time. */
export async function sweepAddons(now: Date): Promise<void> {
  const left = { since: new Date(now.getTime() - longestLoad), files: [...loaded.files] }
  // Nothing hangs on it: a folder that takes files need not be one that may be listed.
  for (const parent of loaded.parents) await sweep(join(parent, prefix), left).catch(() => {})
}

// Milliseconds, by far.
const longestLoad = 60_000

interface Addon {
  readonly content: Uint8Array
  readonly sha256: string
}

/** Writes the add-on into a new private folder, hands it to `load` and removes it; tries one folder after another. */
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
      refusals.push(`  ${parent}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  throw new Error(
    `No folder takes the native add-on ${name}. Set TMPDIR to a folder that this user can write to, ` +
      `on a disk mounted without noexec. Tried:\n${refusals.join('\n')}`,
  )
}

function unpackIn(parent: string, name: string, addon: Addon, load: (file: string) => void): void {
  // A name that nobody can guess, made with mode 0700.
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
  // Windows has no modes: there the person's own temporary folder is closed to others.
  if (process.platform === 'win32') return
  const { uid, mode } = lstatSync(folder)
  if (uid !== process.getuid?.() || (mode & 0o777) !== 0o700)
    throw new Error('the folder is open to others')
}

function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    // Closed to others, it is in nobody's way, and must not hide why the add-on was not loaded. Windows keeps the file
    // of one that was for as long as the program runs.
  }
}

/** The temporary folder, then the user's runtime folder and those that are often writable and allow programs. */
function* addonFolders(): Generator<string> {
  yield tmpdir()
  const user = process.getuid?.()
  if (user !== undefined) yield* [`/run/user/${user}`, '/dev/shm', '/var/tmp']
  yield* folders
  yield dirname(process.execPath)
  yield* home()
}

/** The user's home; none where the system does not know the user, as in a container with a number for one. */
function home(): string[] {
  try {
    return [homedir()]
  } catch {
    return []
  }
}
