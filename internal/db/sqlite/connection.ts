import { closeSync, openSync, rmSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { errorCode } from '../../base/error-code.ts'
import { busy, explained, isBusy, isOfDisk } from './errors.ts'
import { inodeOf } from './named.ts'
import { isOutOfFiles, orOutOfFiles } from './open-file-limit.ts'
import { orClosed } from './or-closed.ts'
import { proveLog } from './prove-log.ts'
import { unwritable } from './unwritable.ts'

export type Connection = Sqlite.Database
export type Statement = Sqlite.Statement

/** Security rule 19, and that what is deleted is overwritten: on every open, and read back. */
const pragmas: readonly (readonly [name: string, value: string | number])[] = [
  ['busy_timeout', 100],
  ['journal_mode', 'wal'],
  ['synchronous', 2],
  ['foreign_keys', 1],
  ['trusted_schema', 0],
  ['cell_size_check', 1],
  ['journal_size_limit', 64 * 1024 * 1024],
  // What is changed is written with its page anyway: of deletions and changes 1.00 to 1.01 times as many pages are.
  ['secure_delete', 1],
]

/** All but what is kept in the file itself, for everyone. */
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
 * Opens a file as it is, for a look that changes nothing in it. It is opened to be written: only then SQLite
 * takes its log and the shared memory away as it is closed.
 */
export function openToLook(path: string): Connection {
  const connection = new Sqlite(resolve(path), { fileMustExist: true, timeout: 5000 })
  return orClosed(connection, () => {
    for (const [name, value] of ofConnection) connection.pragma(`${name} = ${value}`)
    connection.pragma('query_only = 1')
    return connection
  })
}

/** Opens a new file that nobody else knows of, to be filled: what is cut short there is thrown away, so nothing is kept safe. */
export function openToFill(path: string): Connection {
  const connection = new Sqlite(resolve(path), { fileMustExist: true })
  return orClosed(connection, () => {
    for (const set of ['journal_mode = OFF', 'synchronous = OFF', 'cache_size = -65536'])
      connection.pragma(set)
    // Rows may come before those that they refer to: all are checked in the end.
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
 * Makes the file when there is none, and keeps every other process out of it until it is closed. undefined when one
 * has it open: in WAL mode each holds a lock for as long as it does.
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
    // On a full disk there is room for a name, and no more.
    if (isMade) rmSync(file, { force: true })
    throw explained(error, file)
  }
}

function keepOthersOut(connection: Connection): void {
  connection.pragma('locking_mode = EXCLUSIVE')
  // Else none begins in a file that was cut short, and what is damaged is to be replaced.
  connection.unsafeMode()
  connection.pragma('writable_schema = ON')
  // To commit it would note down in the log how long such a file is.
  connection.exec('BEGIN EXCLUSIVE; ROLLBACK')
  connection.pragma('writable_schema = OFF')
  connection.unsafeMode(false)
}

/** Makes the file unless it is there, and locks it until closed or its process ends; undefined when another holds it. */
export function lockFile(file: string): Connection | undefined {
  const connection = new Sqlite(file, { timeout: 0 })
  try {
    // Nothing is ever written, and there need be no second file for it.
    connection.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    return connection
  } catch (error) {
    connection.close()
    if (isBusy(error)) return undefined
    throw error
  }
}

/**
 * Runs `work` again and again while the database is locked, for up to `wait` ms; then throws `DatabaseBusy`. What else
 * `passes` is thrown as it is.
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
 * A restore takes the files beside the database away a moment before another one stands under its name. What fails for
 * longer is the disk's, and may last.
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
    // SQLite itself writes to no file that has lost its name.
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
    // To close it makes room for a file.
    const cause = orOutOfFiles(error, file)
    connection?.close()
    throw cause
  }
}

/** However the rights to the files may be had: SQLite opens those that it may only read, and fails at the first write. */
function proveWritable(connection: Connection): void {
  // Whoever waits for others may write: that it may is what SQLite asks first.
  withoutWaiting(connection, () => Boolean(connection.exec('BEGIN IMMEDIATE; ROLLBACK')))
}

/** SQLite's own wait would hold the whole process up. False as well when another process is in the way. */
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

/** Makes the file private to its owner: it holds password hashes. False for one that is there, and only looked at. */
function makeFile(file: string): boolean {
  try {
    // Never opened when it is there: closing it would drop the locks this process holds on it (POSIX).
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
