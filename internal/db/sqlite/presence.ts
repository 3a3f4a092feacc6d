import { randomUUID } from 'node:crypto'
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { DatabaseAddress } from '../../base/settings/config.ts'
import type { Presence, Presences } from '../presence.ts'
import { fileOf } from './address.ts'
import { lockFile } from './connection.ts'

/**
 * One locked empty file beside the database per process: the system releases the lock when the process dies. A process
 * ID would not do: in another container, or after a restart, it may be another process.
 */
export const presences: Presences = {
  async open(database, failed) {
    await sweep(database, failed)
    for (;;) {
      const id = randomUUID()
      const file = lockOf(database, id)
      // Private to its owner: whoever can read the file can lock it, and a dead process would then seem alive.
      closeSync(openSync(file, 'wx', 0o600))
      const lock = lockFile(file)
      // A sweep in another process may have removed the file before it was locked.
      if (lock && existsSync(file)) return presence(database, id, lock)
      lock?.close()
    }
  },

  async isGone(database, id) {
    const file = lockOf(database, id)
    if (!existsSync(file)) return true
    const lock = tryLockFile(file, () => lockFile(file))
    lock?.close()
    return lock !== undefined
  },

  async forget(database, id) {
    const file = lockOf(database, id)
    tryLockFile(file, () => rmSync(file, { force: true }))
  },
}

// Milliseconds: far longer than the moment between creating the file and locking it.
const settled = 60 * 60 * 1000
const checkInterval = 500

const isId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Deletes the lock files of dead processes, which nobody else does if they had claimed nothing. */
async function sweep(database: DatabaseAddress, failed: (error: unknown) => void): Promise<void> {
  const start = lockOf(database, '')
  const lockFiles = readdirSync(dirname(start)).filter((name) => name.startsWith(basename(start)))
  for (const name of lockFiles) {
    const createdAt = statSync(join(dirname(start), name), { throwIfNoEntry: false })?.mtimeMs
    const id = name.slice(basename(start).length)
    // The name of another database's file may begin with the same text.
    if (!isId.test(id)) continue
    if (createdAt === undefined || createdAt >= Date.now() - settled) continue
    try {
      if (await presences.isGone(database, id)) await presences.forget(database, id)
    } catch (error) {
      failed(error)
    }
  }
}

/**
 * Adds advice if a lock file cannot be used: it may belong to another user, such as root after starting the service
 * once.
 */
function tryLockFile<Result>(file: string, work: () => Result): Result {
  try {
    return work()
  } catch (cause) {
    throw new Error(
      `The lock file ${file} cannot be used: let this user write it, or delete it once the process that made it has ended.`,
      { cause },
    )
  }
}

function presence(database: DatabaseAddress, id: string, lock: { close(): void }): Presence {
  const lost = new AbortController()
  const file = lockOf(database, id)
  // Without its file, other processes consider this one dead.
  const checkFile = () =>
    void (existsSync(file) || leave(new Error(`The lock file ${file} is gone.`)))
  const timer = setInterval(checkFile, checkInterval).unref()
  function leave(reason: Error): void {
    clearInterval(timer)
    lock.close()
    lost.abort(reason)
  }
  return {
    id,
    lost: lost.signal,
    async end() {
      if (lost.signal.aborted) return
      leave(new Error('The process has ended.'))
      await presences.forget(database, id)
    },
  }
}

/** Returns the path of a lock file: the same for all processes, even those that reach the database through a link. */
function lockOf(database: DatabaseAddress, id: string): string {
  return `${realpathSync(fileOf(database))}-worker-${id}`
}
