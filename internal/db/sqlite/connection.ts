import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { busy, explained, isBusy, isOfDisk } from './connection/errors.ts'
import { makeFile } from './file/make-file.ts'
import { inodeOf } from './file/named.ts'
import { isOutOfFiles, orOutOfFiles } from './file/open-file-limit.ts'
import { keepNoLog } from './file/keep-no-log.ts'
import { orClosed } from './connection/or-closed.ts'
import { proveLog } from './file/prove-log.ts'

export type Connection = Sqlite.Database
export type Statement = Sqlite.Statement

/** Security rule 19, plus overwriting of deleted data. Set at every open, and read back to verify. */
const pragmas: readonly (readonly [name: string, value: string | number])[] = [
  ['busy_timeout', 100],
  ['journal_mode', 'wal'],
  ['synchronous', 2],
  ['foreign_keys', 1],
  ['trusted_schema', 0],
  ['cell_size_check', 1],
  ['journal_size_limit', 64 * 1024 * 1024],
  // Costs little: deletions and changes write 1.00 to 1.01 times as many pages, as a changed page is written anyway.
  ['secure_delete', 1],
]

/** All but `journal_mode`, which is stored in the file. */
const ofConnection = pragmas.filter(([name]) => name !== 'journal_mode')

/**
 * Opens the file for writing, creating it if needed. While another process creates it or holds its lock, retries for
 * up to `wait` ms, then throws `DatabaseBusy`. Other errors name the file and say what to do.
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

/** Opens a file that already has a writer, read-only. */
export function openReader(path: string): Connection {
  const file = resolve(path)
  try {
    return open(file, true)
  } catch (error) {
    throw isOutOfFiles(error) ? explained(error, file) : error
  }
}

/**
 * Opens a file to inspect it, without changing its content. The connection is writable, since only then SQLite removes
 * its write-ahead log and shared memory on closing.
 */
export function openToInspect(path: string): Connection {
  const connection = new Sqlite(resolve(path), { fileMustExist: true, timeout: 5000 })
  return orClosed(connection, () => {
    for (const [name, value] of ofConnection) connection.pragma(`${name} = ${value}`)
    connection.pragma('query_only = 1')
    return connection
  })
}

/** Opens a new file that no other process knows of, to fill it. Nothing is synced: an incomplete one is thrown away. */
export function openToFill(path: string): Connection {
  const connection = new Sqlite(resolve(path), { fileMustExist: true })
  return orClosed(connection, () => {
    keepNoLog(connection)
    for (const set of ['synchronous = OFF', 'cache_size = -65536']) connection.pragma(set)
    // Rows may be inserted before those they refer to: all references are checked at the end.
    connection.pragma('foreign_keys = OFF')
    connection.pragma('trusted_schema = OFF')
    return connection
  })
}

/** Returns the pragmas of rule 19 that did not take effect on a connection, with their actual values. */
export function unkeptPragmas(connection: Connection): { name: string; kept: unknown }[] {
  return ofConnection
    .map(([name, value]) => ({ name, value, kept: connection.pragma(name, { simple: true }) }))
    .filter(({ value, kept }) => kept !== value)
}

/**
 * Creates the file if needed, and keeps every other process out until it is closed. undefined if another process has
 * it open: in WAL mode each holds a lock for as long as it has the file open.
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
    // A full disk has room for the name, but not for the content.
    if (isMade) rmSync(file, { force: true })
    throw explained(error, file)
  }
}

function keepOthersOut(connection: Connection): void {
  connection.pragma('locking_mode = EXCLUSIVE')
  // Otherwise no transaction can begin in a truncated file, and damaged files must be replaceable too.
  connection.unsafeMode()
  connection.pragma('writable_schema = ON')
  // Rolled back, since a commit would record the length of such a file in the log.
  connection.exec('BEGIN EXCLUSIVE; ROLLBACK')
  connection.pragma('writable_schema = OFF')
  connection.unsafeMode(false)
}

/** Creates the file if needed, and locks it until closed or the process ends; undefined if another holds it. */
export function lockFile(file: string): Connection | undefined {
  const connection = new Sqlite(file, { timeout: 0 })
  try {
    // Nothing is ever written to the file, so it needs no journal file.
    connection.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    return connection
  } catch (error) {
    connection.close()
    if (isBusy(error)) return undefined
    throw error
  }
}

/**
 * Retries `work` while the database is locked, for up to `wait` ms, then throws `DatabaseBusy`. Also retries other
 * errors that `passes` accepts, and then throws the last one.
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
 * Returns a predicate for transient errors: locks, and for a moment disk errors. A restore removes the files beside
 * the database shortly before another database gets its name. Errors that last longer come from the disk.
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

/** Opens the file of this name. While its lock was waited for, a restore may have replaced it. */
function openNamed(file: string): Connection {
  makeFile(file)
  const before = inodeOf(file)
  let connection: Connection | undefined
  try {
    connection = open(file, false)
    if (inodeOf(file) === before) return connection
  } catch (error) {
    // SQLite itself does not write to a file that has lost its name: then the new one is opened.
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
      const actual = connection.pragma(name, { simple: true })
      if (actual !== value)
        throw new Error(
          `The database ${file} keeps ${name} at ${String(actual)}; it must be ${value}.`,
        )
    }
    if (readonly) return connection
    proveLog(connection, file)
    proveWritable(connection)
    return connection
  } catch (error) {
    // Before the close, which frees a file descriptor.
    const cause = orOutOfFiles(error, file)
    connection?.close()
    throw cause
  }
}

/** Throws if the file cannot be written: SQLite opens a read-only file, and fails at the first write. */
function proveWritable(connection: Connection): void {
  // A lock held by another process is no error here: SQLite checks first whether it may write.
  withoutWaiting(connection, () => Boolean(connection.exec('BEGIN IMMEDIATE; ROLLBACK')))
}

/** Runs `work` without SQLite's wait, which would block the whole process. False if another process is in the way. */
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
