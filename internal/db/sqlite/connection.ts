import { closeSync, openSync, rmSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { errorCode } from '../../base/error-code.ts'
import { busy, explained, isBusy, isOfDisk } from './errors.ts'
import { inodeOf } from './named.ts'
import { isOutOfFiles, orOutOfFiles } from './open-file-limit.ts'
import { keepNoLog } from './keep-no-log.ts'
import { orClosed } from './or-closed.ts'
import { proveLog } from './prove-log.ts'
import { unwritable } from './unwritable.ts'

export type Connection = Sqlite.Database
export type Statement = Sqlite.Statement

/** Security rule 19, and that deleted data is overwritten: set on every open, and read back. */
const pragmas: readonly (readonly [name: string, value: string | number])[] = [
  ['busy_timeout', 100],
  ['journal_mode', 'wal'],
  ['synchronous', 2],
  ['foreign_keys', 1],
  ['trusted_schema', 0],
  ['cell_size_check', 1],
  ['journal_size_limit', 64 * 1024 * 1024],
  // It costs little: deletions and changes write 1.00 to 1.01 times as many pages, as a changed page is written anyway.
  ['secure_delete', 1],
]

/** All but `journal_mode`, which is kept in the file itself, for everyone. */
const ofConnection = pragmas.filter(([name]) => name !== 'journal_mode')

/**
 * Opens the file for writing, and makes it when there is none. While another process makes it or has it locked,
 * it tries again for up to `wait` ms, then throws `DatabaseBusy`. Other errors name the file and what to do.
 */
export async function openWriter(path: string, wait: number): Promise<Connection> {
  if (path.trim() === '' || path.trim() === ':memory:')
    throw new Error(`The database must be kept in a file: set DB_PATH to one, not to "${path}".`)
  const file = resolve(path)
  try {
    return await whileBusy(wait, () => openNamed(file), passing())
  } catch (error) {
    throw explained(error, file)
  }
}

/** Opens a file that has a writer already, for reading only. */
export function openReader(path: string): Connection {
  const file = resolve(path)
  try {
    return open(file, true)
  } catch (error) {
    throw isOutOfFiles(error) ? explained(error, file) : error
  }
}

/**
 * Opens a file as it is, for a look that changes nothing in it. It is opened for writing: only then SQLite removes its
 * log and its shared memory when it closes the file.
 */
export function openToLook(path: string): Connection {
  const connection = new Sqlite(resolve(path), { fileMustExist: true, timeout: 5000 })
  return orClosed(connection, () => {
    for (const [name, value] of ofConnection) connection.pragma(`${name} = ${value}`)
    connection.pragma('query_only = 1')
    return connection
  })
}

/** Opens a new file that nobody knows of, to be filled. Nothing is synced: one that is cut short is thrown away. */
export function openToFill(path: string): Connection {
  const connection = new Sqlite(resolve(path), { fileMustExist: true })
  return orClosed(connection, () => {
    keepNoLog(connection)
    for (const set of ['synchronous = OFF', 'cache_size = -65536']) connection.pragma(set)
    // Rows may come before those that they refer to: all references are checked in the end.
    connection.pragma('foreign_keys = OFF')
    connection.pragma('trusted_schema = OFF')
    return connection
  })
}

/** The pragmas of rule 19 that a connection does not keep, with what it keeps instead. */
export function unkeptPragmas(connection: Connection): { name: string; kept: unknown }[] {
  return ofConnection
    .map(([name, value]) => ({ name, value, kept: connection.pragma(name, { simple: true }) }))
    .filter(({ value, kept }) => kept !== value)
}

/**
 * Makes the file when there is none, and keeps every other process out of it until it is closed. undefined when another
 * process has it open: in WAL mode each holds a lock as long as it has the file open.
 */
export function openAlone(path: string): Connection | undefined {
  const file = resolve(path)
  let isMade = false
  try {
    isMade = makeFile(file)
    const connection = new Sqlite(file, { fileMustExist: true, timeout: 0 })
    orClosed(connection, () => keepOthersOut(connection))
    return connection
  } catch (error) {
    if (isBusy(error)) return undefined
    // A full disk has room for a name, but not for what is in the file.
    if (isMade) rmSync(file, { force: true })
    throw explained(error, file)
  }
}

function keepOthersOut(connection: Connection): void {
  connection.pragma('locking_mode = EXCLUSIVE')
  // Else no transaction begins in a file that was cut short; damaged files are to be replaced too.
  connection.unsafeMode()
  connection.pragma('writable_schema = ON')
  // Rolled back, since a commit would note in the log how long such a file is.
  connection.exec('BEGIN EXCLUSIVE; ROLLBACK')
  connection.pragma('writable_schema = OFF')
  connection.unsafeMode(false)
}

/** Makes the file unless it is there, and locks it until closed or the process ends; undefined if another holds it. */
export function lockFile(file: string): Connection | undefined {
  const connection = new Sqlite(file, { timeout: 0 })
  try {
    // Nothing is ever written to the file, so it needs no journal file beside it.
    connection.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    return connection
  } catch (error) {
    connection.close()
    if (isBusy(error)) return undefined
    throw error
  }
}

/**
 * Runs `work` again and again while the database is locked, for up to `wait` ms; then throws `DatabaseBusy`. So it does
 * for other errors that `passes` accepts, and then throws the last one.
 */
export async function whileBusy<Result>(
  wait: number,
  work: () => Result,
  passes = isBusy,
): Promise<Result> {
  const until = performance.now() + wait
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (!passes(error)) throw error
      if (performance.now() >= until) throw isBusy(error) ? busy(error) : error
      await pause(10)
    }
  }
}

// Milliseconds.
const longestMoment = 2000

/**
 * Whether an error may pass: a lock, or for a moment a fault of the disk. A restore takes the files beside the database
 * away a moment before another one stands under its name. What fails for longer is the disk's, and may last.
 */
function passing(): (error: unknown) => boolean {
  let since: number | undefined
  return (error) => {
    if (!isOfDisk(error)) {
      since = undefined
      return isBusy(error)
    }
    since ??= performance.now()
    return performance.now() - since < longestMoment
  }
}

/** Opens the file of this name: while its lock was waited for, a restore may have put another one there. */
function openNamed(file: string): Connection {
  makeFile(file)
  const before = inodeOf(file)
  let connection: Connection | undefined
  try {
    connection = open(file, false)
    if (inodeOf(file) === before) return connection
  } catch (error) {
    // SQLite itself writes to no file that has lost its name: then the new one is opened.
    if (inodeOf(file) === before) throw error
  }
  connection?.close()
  return openNamed(file)
}

function open(file: string, readonly: boolean): Connection {
  let connection: Connection | undefined
  try {
    connection = new Sqlite(file, { readonly, fileMustExist: true, timeout: 100 })
    for (const [name, value] of pragmas) {
      connection.pragma(`${name} = ${value}`)
      const kept = connection.pragma(name, { simple: true })
      if (kept !== value)
        throw new Error(
          `The database ${file} keeps ${name} at ${String(kept)}; it must be ${value}.`,
        )
    }
    if (readonly) return connection
    proveLog(connection, file)
    proveWritable(connection)
    return connection
  } catch (error) {
    // Before the close, which makes room for another open file.
    const cause = orOutOfFiles(error, file)
    connection?.close()
    throw cause
  }
}

/** Throws when the file cannot be written: SQLite opens one that it may only read, and fails at the first write. */
function proveWritable(connection: Connection): void {
  // A lock of another process is no fault: SQLite asks first whether it may write.
  withoutWaiting(connection, () => Boolean(connection.exec('BEGIN IMMEDIATE; ROLLBACK')))
}

/** Without SQLite's own wait, which would hold the whole process up. False also when another process is in the way. */
export function withoutWaiting(connection: Connection, work: () => boolean): boolean {
  connection.pragma('busy_timeout = 0')
  try {
    return work()
  } catch (error) {
    if (isBusy(error)) return false
    throw error
  } finally {
    connection.pragma('busy_timeout = 100')
  }
}

/** Makes the file, private to its owner: it holds password hashes. False when it is there, and was only checked. */
function makeFile(file: string): boolean {
  try {
    // Never opens one that is there: to close it would drop the locks that this process holds on it (POSIX).
    closeSync(openSync(file, 'wx', 0o600))
    return true
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
    if (statSync(file).isDirectory())
      throw Object.assign(new Error('is a folder', { cause: error }), { code: 'EISDIR' })
    if (unwritable(file) !== undefined)
      throw Object.assign(new Error('cannot be written', { cause: error }), { code: 'EACCES' })
    return false
  }
}
