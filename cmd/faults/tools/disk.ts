import { spawnSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { onCleanUp } from './cleanup.ts'
import { newFolder } from './servers.ts'
import { need, ToolMissing } from './system-tools.ts'

/** A small in-memory disk, until the fault is over. */
export interface Disk {
  readonly folder: string
  /** Uses up every byte. */
  fill(): void
  /** Frees what `fill` used. */
  empty(): void
}

/** Mounts a small disk. Throws `ToolMissing` if this user may not. */
export function mountDisk(megabytes: number): Disk {
  const folder = newFolder()
  mount(need('mount'), ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder])
  onCleanUp(() => mount(need('umount'), [folder]))
  const fillerFile = join(folder, 'filler')
  return {
    folder,
    fill: () => fillUp(fillerFile),
    empty: () => rmSync(fillerFile, { force: true }),
  }
}

function mount(program: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  if (status === 0) return
  throw new ToolMissing(
    `A disk of its own cannot be mounted here; let root try it: ${stderr.trim()}`,
  )
}

function fillUp(path: string): void {
  const file = openSync(path, 'a')
  try {
    // Writes ever smaller pieces until no byte is free.
    for (const size of [1 << 20, 4096, 1]) {
      const part = Buffer.alloc(size)
      while (isWritten(file, part));
    }
  } finally {
    closeSync(file)
  }
}

function isWritten(file: number, part: Buffer): boolean {
  try {
    return writeSync(file, part) > 0
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return false
    throw error
  }
}
