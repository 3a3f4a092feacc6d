import { lstat, readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

interface LeftoverOptions {
  /** Only folders in which nothing was written since then are deleted. */
  readonly since: Date
  /** Names of the files that such a folder may contain: one with any other is somebody else's, and stays. */
  readonly files: readonly string[]
}

/** Deletes folders that `mkdtemp` made with this prefix and a killed run left behind. */
export async function sweep(prefix: string, { since, files }: LeftoverOptions): Promise<void> {
  const parent = dirname(prefix)
  for (const name of await readdir(parent)) {
    if (!isMadeOf(name, basename(prefix))) continue
    const folder = join(parent, name)
    const changed = await lastChange(folder, files)
    if (changed === undefined || changed > since) continue
    // A folder of another user cannot be deleted: it stays, which is harmless.
    await rm(folder, { recursive: true, force: true }).catch(() => {})
  }
}

function isMadeOf(name: string, prefix: string): boolean {
  return name.startsWith(prefix) && /^[A-Za-z0-9]{6}$/.test(name.slice(prefix.length))
}

/** Returns undefined for what is not a folder, has other files in it, is gone, or cannot be read. */
async function lastChange(folder: string, files: readonly string[]): Promise<Date | undefined> {
  try {
    const stats = await lstat(folder)
    if (!stats.isDirectory()) return undefined
    const names = await readdir(folder)
    if (names.some((name) => !files.includes(name))) return undefined
    const entries = await Promise.all(names.map((name) => lstat(join(folder, name))))
    return new Date(Math.max(...[stats, ...entries].map(({ mtimeMs }) => mtimeMs)))
  } catch {
    return undefined
  }
}
