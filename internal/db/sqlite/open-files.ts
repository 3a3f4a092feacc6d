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
  /** Told that the log has lost its name, and that nothing is lost by it. */
  readonly mended: (error: Error) => void
}

/**
 * The files of a database that is open, as they stand under their names: what is written to one that does not is lost as
 * it is closed. SQLite asks for that itself but where it keeps a log, and of the log and its index never.
 */
export class OpenFiles {
  readonly #file: string
  /** Where a link leads to: what is beside the database lies beside that. */
  readonly #real: string
  readonly #opened: Opened
  readonly #version: Statement
  readonly #inode: bigint | undefined
  #log: bigint | undefined
  #index: bigint | undefined
  // As they were when all stood under their names.
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

  /** Throws `DatabaseBusy` while another file, or none, has the name of the database; false where the log has lost its own. */
  stand(): boolean {
    const there = statSync(this.#file, { bigint: true, throwIfNoEntry: false })
    if (there?.ino !== this.#inode)
      throw new DatabaseBusy(
        `The file ${this.#file} was moved away or replaced: put back the one that is open, or start the server again with this one.`,
      )
    if (inodeOf(this.#besides('-wal')) !== this.#log) return false
    if (inodeOf(this.#besides('-shm')) !== this.#index) return false
    this.#seenChange = there?.mtimeNs
    return true
  }

  /**
   * To be called between two transactions: throws `DatabaseBusy` where none may be written. Where the log has lost its name,
   * what it holds is moved into the database and another one is written, unless somebody else has them open.
   */
  look(): void {
    if (!this.stand()) this.#mend()
    const { reading } = this.#opened
    if (reading.isRefused) reading.reopen()
    this.#seenVersion = this.#version.get()
  }

  /** To be called after each transaction, and what is done between two: it may have moved the log into the file. */
  changed(): void {
    try {
      this.stand()
    } catch {
      // Whoever comes next is told.
    }
  }

  /** Closes all. The last to close moves the log into the file, and a reader cannot. */
  close(): void {
    const { writer, reading } = this.#opened
    try {
      this.look()
    } catch {
      // Whoever asked was told, and nobody asks any more.
    }
    if (this.#isAlone()) reading.close()
    writer.close()
    reading.close()
  }

  #mend(): void {
    const { writer, reading, mended } = this.#opened
    reading.refuse()
    if (!this.#isMoved) this.#move()
    // Others may have come since, and what they write is in the same log: no more is asked where this has to be done again.
    this.#isMoved = true
    writer.pragma('journal_mode = WAL')
    reading.reopen()
    this.#note()
    this.#isSaved = false
    this.#isMoved = false
    mended(this.#told('All that it held is in the database, and another one is written'))
  }

  #move(): void {
    const { writer, reading } = this.#opened
    if (!this.#isAlone())
      throw this.#told(
        'Another program has written to one of its own, so nothing is moved any more: end that program, and start the server again. Look whether the last changes are there',
      )
    // Where another one has that name, somebody may write to it.
    if (inodeOf(this.#besides('-wal')) === undefined) this.#isSaved = emptyLog(writer)
    // It has a lock as well.
    reading.close()
    if (!withoutWaiting(writer, () => isMoved(writer)))
      throw this.#told(
        `${this.#isSaved ? 'All' : 'Not all'} that it held is in the database, which another process has open: end that (\`fuser\` and \`lsof\` tell which), and this one goes on. End each by SIGTERM alone`,
      )
  }

  #told(what: string): DatabaseBusy {
    return new DatabaseBusy(
      `The log ${this.#besides('-wal')}, or its index -shm, was deleted or replaced while it was open. ${what}.`,
    )
  }

  /**
   * Whether nobody else has written since all stood under their names: then what is in the log that is open is all that there
   * is. Who shares its index is seen in it; who has an index of their own leaves something in a log of their own, or
   * changes the database.
   */
  #isAlone(): boolean {
    const log = statSync(this.#besides('-wal'), { bigint: true, throwIfNoEntry: false })
    if (!log) return true
    const index = inodeOf(this.#besides('-shm'))
    if (log.ino === this.#log) return index === this.#index || index === undefined
    if (index === this.#index) return this.#isUnchanged()
    const there = statSync(this.#file, { bigint: true, throwIfNoEntry: false })
    return log.size === 0n && there?.mtimeNs === this.#seenChange
  }

  #isUnchanged(): boolean {
    try {
      return this.#version.get() === this.#seenVersion
    } catch {
      // What the index tells of stands in a log of somebody else.
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

/** Needs that nobody else has it open, in this process neither. */
function isMoved(writer: Connection): boolean {
  return writer.pragma('journal_mode = DELETE', { simple: true }) === 'delete'
}
