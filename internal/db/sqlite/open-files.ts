import { realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { DatabaseBusy } from '../db.ts'
import { withoutWaiting, type Connection, type Statement } from './connection.ts'
import { inodeOf } from './named.ts'
import type { Reading } from './reading.ts'
import { emptyLog } from './remains.ts'

interface Opened {
  readonly writer: Connection
  readonly reading: Reading
  /** Called with an error that says that the log had lost its name, once all that it held is in the database. */
  readonly mended: (error: Error) => void
}

/**
 * The files of an open database, which have to stand under their names: what is written to a file that lost its name is
 * lost when it is closed. SQLite checks this itself only where it keeps no log, and never for the log and its index.
 */
export class OpenFiles {
  readonly #file: string
  /** The file that `#file` leads to where that is a link: the log and its index lie beside this one. */
  readonly #real: string
  readonly #opened: Opened
  readonly #version: Statement
  readonly #inode: bigint | undefined
  #log: bigint | undefined
  #index: bigint | undefined
  // The database's version and time of change, when all files last stood under their names.
  #seenVersion: unknown
  #seenChange: bigint | undefined
  #isSaved = false
  #isMoved = false

  constructor(path: string, opened: Opened) {
    this.#file = resolve(path)
    this.#real = realpathSync(path)
    this.#opened = opened
    this.#version = opened.writer.prepare('PRAGMA data_version').pluck()
    this.#inode = inodeOf(this.#file)
    this.#note()
  }

  /**
   * Throws `DatabaseBusy` while another file, or none, has the name of the database; false where the log or its index
   * has lost its name.
   */
  stand(): boolean {
    const current = statSync(this.#file, { bigint: true, throwIfNoEntry: false })
    if (current?.ino !== this.#inode)
      throw new DatabaseBusy(
        `The file ${this.#file} was moved away or replaced: put back the one that is open, or start the server again with this one.`,
      )
    if (inodeOf(this.#besides('-wal')) !== this.#log) return false
    if (inodeOf(this.#besides('-shm')) !== this.#index) return false
    this.#seenChange = current?.mtimeNs
    return true
  }

  /**
   * To be called between two transactions; throws `DatabaseBusy` where nothing may be written. Where the log has lost
   * its name, what it holds is moved into the database and a new log is written, unless somebody else has the old files
   * open.
   */
  look(): void {
    if (!this.stand()) this.#mend()
    const { reading } = this.#opened
    if (reading.isRefused) reading.reopen()
    this.#seenVersion = this.#version.get()
  }

  /**
   * To be called after each transaction, and after other work between two: it may have moved the log into the file,
   * whose new time of change is noted.
   */
  changed(): void {
    try {
      this.stand()
    } catch {
      // `look` throws the same before the next transaction.
    }
  }

  /**
   * Closes both connections. SQLite moves the log into the file if the writer is the last: not so where another program
   * has written to files of its own.
   */
  close(): void {
    const { writer, reading } = this.#opened
    try {
      this.look()
    } catch {
      // Those who wrote were told before, and nobody writes any more.
    }
    if (this.#isAlone()) reading.close()
    writer.close()
    reading.close()
  }

  #mend(): void {
    const { writer, reading, mended } = this.#opened
    reading.refuse()
    if (!this.#isMoved) this.#move()
    // If a step below fails, the log is not moved again: others may have come, but write to the same log from now on.
    this.#isMoved = true
    writer.pragma('journal_mode = WAL')
    reading.reopen()
    this.#note()
    this.#isSaved = false
    this.#isMoved = false
    mended(this.#lostLog('All that it held is in the database, and another one is written'))
  }

  #move(): void {
    const { writer, reading } = this.#opened
    if (!this.#isAlone())
      throw this.#lostLog(
        'Another program has written to one of its own, so nothing is moved any more: end that program, and start the server again. Look whether the last changes are there',
      )
    // Where another log has the name, another process may be writing to it.
    if (inodeOf(this.#besides('-wal')) === undefined) this.#isSaved = emptyLog(writer)
    // The reader has a lock, too, which would keep the writer from leaving WAL mode.
    reading.close()
    if (!withoutWaiting(writer, () => isMoved(writer)))
      throw this.#lostLog(
        `${this.#isSaved ? 'All' : 'Not all'} that it held is in the database, which another process has open: end that (\`fuser\` and \`lsof\` tell which), and this one goes on. End each by SIGTERM alone`,
      )
  }

  #lostLog(consequence: string): DatabaseBusy {
    return new DatabaseBusy(
      `The log ${this.#besides('-wal')}, or its index -shm, was deleted or replaced while it was open. ${consequence}.`,
    )
  }

  /**
   * Whether no other process has written since all files stood under their names: then the log that is open holds all
   * that is not in the database. A process that shares the index is seen there; a process with an index of its own
   * leaves something in a log of its own, or changes the database.
   */
  #isAlone(): boolean {
    const log = statSync(this.#besides('-wal'), { bigint: true, throwIfNoEntry: false })
    if (!log) return true
    const index = inodeOf(this.#besides('-shm'))
    if (log.ino === this.#log) return index === this.#index || index === undefined
    if (index === this.#index) return this.#isUnchanged()
    const current = statSync(this.#file, { bigint: true, throwIfNoEntry: false })
    return log.size === 0n && current?.mtimeNs === this.#seenChange
  }

  #isUnchanged(): boolean {
    try {
      return this.#version.get() === this.#seenVersion
    } catch {
      // The index describes the log of another process.
      return false
    }
  }

  #note(): void {
    this.#log = inodeOf(this.#besides('-wal'))
    this.#index = inodeOf(this.#besides('-shm'))
    if (this.stand()) this.#seenVersion = this.#version.get()
  }

  #besides(end: string): string {
    return this.#real + end
  }
}

/** Leaves WAL mode, which moves the log into the file. No other connection may be open, not even of this process. */
function isMoved(writer: Connection): boolean {
  return writer.pragma('journal_mode = DELETE', { simple: true }) === 'delete'
}
