import { realpathSync, statSync, type BigIntStats } from 'node:fs'
import { resolve } from 'node:path'
import { DatabaseBusy } from '../../db.ts'
import { withoutWaiting, type Connection, type Statement } from '../connection.ts'
import { inodeOf, nameOf } from './named.ts'
import type { Reading } from '../connection/reading.ts'
import { emptyLog } from './remains.ts'

interface OpenedConnections {
  readonly writer: Connection
  readonly reading: Reading
  /** Called with an error saying that the log had lost its name, once its whole content is in the database. */
  readonly mended: (error: Error) => void
}

/**
 * Watches that an open database's files keep their names: writes to a file that lost its name are lost when it is
 * closed. SQLite checks this only when it keeps no log, and never for the log and its index.
 */
export class OpenFiles {
  readonly #file: string
  /** The target of `#file` if that is a link: the log and its index lie beside the target. */
  readonly #real: string
  readonly #connections: OpenedConnections
  readonly #version: Statement
  readonly #inode: bigint | undefined
  #log: bigint | undefined
  #index: bigint | undefined
  // The database's version and modification time when all files last had their names.
  #seenVersion: unknown
  #seenChange: bigint | undefined
  #isSaved = false
  #isMoved = false

  constructor(path: string, connections: OpenedConnections) {
    this.#file = resolve(path)
    this.#real = realpathSync(path)
    this.#connections = connections
    this.#version = connections.writer.prepare('PRAGMA data_version').pluck()
    this.#inode = inodeOf(this.#file)
    this.#recordInodes()
  }

  /** Returns false while the name of the database, its log or its index belongs to another file or none. */
  areInPlace(): boolean {
    const current = this.#named()
    if (current?.ino !== this.#inode || !this.#hasOwnLog()) return false
    this.#seenChange = current?.mtimeNs
    return true
  }

  /**
   * Must be called between two transactions; throws `DatabaseBusy` if nothing may be written, as while the database's
   * name belongs to another file or none. If the log has lost its name, its content is checkpointed into the database
   * and a new log begun, unless another process has the old files open.
   */
  ensureInPlace(): void {
    if (!this.areInPlace()) {
      this.#refuseMoved()
      this.#mend()
    }
    const { reading } = this.#connections
    if (reading.isRefused) reading.reopen()
    this.#seenVersion = this.#version.get()
  }

  /**
   * Must be called after each transaction, and after other work between two, which may have checkpointed the log and
   * so changed the file's modification time.
   */
  changed(): void {
    try {
      this.areInPlace()
    } catch {
      // `ensureInPlace` throws the same before the next transaction.
    }
  }

  /**
   * Closes both connections. SQLite checkpoints the log if the writer is the last connection, but not if another
   * program wrote to files of its own, and not into a file that was moved away.
   */
  close(): void {
    const { writer, reading } = this.#connections
    try {
      this.ensureInPlace()
    } catch {
      // Everyone who wrote was told before, and no more writes come.
    }
    if (this.#isAlone()) reading.close()
    writer.close()
    reading.close()
  }

  #refuseMoved(): void {
    const current = this.#named()
    if (current?.ino === this.#inode) return
    this.#settleLog(current)
    throw new DatabaseBusy(
      `The file ${this.#file} was moved away or replaced: put back the one that is open, or start the server again with this one.`,
    )
  }

  /**
   * Checkpoints the log into the database that was moved away, and empties it: the next file of that name would get
   * it. A database without any name may have been copied to another disk: then its log stays, for that copy.
   */
  #settleLog(current: BigIntStats | undefined): void {
    if (this.#inode === undefined || !this.#hasOwnLog()) return
    // Somebody who opened the other file has written to this log.
    if (current && !this.#isUnchanged()) return
    // One that was last changed at the same time is that copy, brought back.
    const mayBeCopy = !current || current.mtimeNs === this.#seenChange
    const name = nameOf(this.#inode)
    // Somebody has opened it under its new name, with a log of its own, and may have written.
    const isTaken = name !== undefined && inodeOf(`${name}-wal`) !== undefined
    if (name === undefined ? mayBeCopy : isTaken) return
    const { writer, reading } = this.#connections
    reading.renew()
    emptyLog(writer)
  }

  #mend(): void {
    const { writer, reading, mended } = this.#connections
    reading.refuse()
    if (!this.#isMoved) this.#move()
    // If a later step fails, the log is not checkpointed again: other processes may have come, but they use the same
    // log.
    this.#isMoved = true
    writer.pragma('journal_mode = WAL')
    reading.reopen()
    this.#recordInodes()
    this.#isSaved = false
    this.#isMoved = false
    mended(this.#lostLog('All that it held is in the database, and another one is written'))
  }

  #move(): void {
    const { writer, reading } = this.#connections
    if (!this.#isAlone())
      throw this.#lostLog(
        'Another program has written to one of its own, so nothing is moved any more: end that program, and restart the server. Check whether the last changes are there',
      )
    // If another log has the name, another process may be writing to it.
    if (inodeOf(this.#pathWith('-wal')) === undefined) this.#isSaved = emptyLog(writer)
    // The reader holds a lock too, which would keep the writer from leaving WAL mode.
    reading.close()
    if (!withoutWaiting(writer, () => isMoved(writer)))
      throw this.#lostLog(
        `${this.#isSaved ? 'All' : 'Not all'} that it held is in the database, which another process has open: end that (\`fuser\` and \`lsof\` tell which), and this one goes on. End each by SIGTERM alone`,
      )
  }

  #lostLog(consequence: string): DatabaseBusy {
    return new DatabaseBusy(
      `The log ${this.#pathWith('-wal')}, or its index -shm, was deleted or replaced while it was open. ${consequence}.`,
    )
  }

  /**
   * Whether no other process has written since all files last had their names: then the open log holds everything that
   * is not in the database. A process sharing the index is visible there; one with an index of its own leaves traces
   * in a log of its own, or changes the database.
   */
  #isAlone(): boolean {
    const log = statSync(this.#pathWith('-wal'), { bigint: true, throwIfNoEntry: false })
    if (!log) return true
    const index = inodeOf(this.#pathWith('-shm'))
    if (log.ino === this.#log) return index === this.#index || index === undefined
    if (index === this.#index) return this.#isUnchanged()
    const current = this.#named()
    return log.size === 0n && current?.mtimeNs === this.#seenChange
  }

  #isUnchanged(): boolean {
    try {
      return this.#version.get() === this.#seenVersion
    } catch {
      // The index describes another process's log.
      return false
    }
  }

  #named(): BigIntStats | undefined {
    return statSync(this.#file, { bigint: true, throwIfNoEntry: false })
  }

  #hasOwnLog(): boolean {
    return (
      inodeOf(this.#pathWith('-wal')) === this.#log &&
      inodeOf(this.#pathWith('-shm')) === this.#index
    )
  }

  #recordInodes(): void {
    this.#log = inodeOf(this.#pathWith('-wal'))
    this.#index = inodeOf(this.#pathWith('-shm'))
    if (this.areInPlace()) this.#seenVersion = this.#version.get()
  }

  #pathWith(end: string): string {
    return this.#real + end
  }
}

/** Leaves WAL mode, which checkpoints the log. No other connection may be open, not even in this process. */
function isMoved(writer: Connection): boolean {
  return writer.pragma('journal_mode = DELETE', { simple: true }) === 'delete'
}
