import { DatabaseBusy } from '../db.ts'
import { messageOf } from '../../base/error-message.ts'
import { causeOf } from './unreachable.ts'

/** A connection to a server. Once lost, it stays lost. */
export interface Lendable {
  /** Aborted when the connection is gone. */
  readonly lost: AbortSignal
  /** Closes it, even if a statement is running. */
  end(): Promise<void>
}

interface Lending<Connection> {
  /** Connects, or throws an error with advice. */
  readonly open: () => Promise<Connection>
  /** Returns a `DatabaseBusy` for a refusal that may be temporary; other refusals unchanged. */
  readonly busyOf: (refusal: unknown) => unknown
  /** The most connections. */
  readonly most: number
  /** Milliseconds to wait for a connection. */
  readonly wait: number
}

interface Waiting<Connection> {
  readonly resolve: (connection: Connection) => void
  readonly reject: (error: unknown) => void
}

// Milliseconds before a refused connection is attempted again: the server logs each refusal.
const pause = 500

/**
 * Lends each connection to one piece of work at a time. If the server grants no more connections, those waiting get an
 * open one as soon as it is returned.
 */
export class Pool<Connection extends Lendable> {
  readonly #lending: Lending<Connection>
  /** The most recently used is lent first, from the end, so that the others idle and can be closed. */
  readonly #idle: Connection[] = []
  readonly #inUse = new Set<Connection>()
  readonly #outdated = new WeakSet<Connection>()
  readonly #waiting = new Set<Waiting<Connection>>()
  #open = 0
  #opening = 0
  /** Why the last attempt to connect was refused; undefined if another attempt may be made. */
  #refusal: unknown
  #timer: NodeJS.Timeout | undefined
  #closed: Error | undefined
  readonly #allClosed = Promise.withResolvers<void>()

  constructor(lending: Lending<Connection>) {
    this.#lending = lending
  }

  /** Lends a connection for the duration of `work`. Throws `DatabaseBusy` if none is free in time. */
  async with<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    const connection = await this.#take()
    try {
      return await work(connection)
    } finally {
      this.#inUse.delete(connection)
      this.#giveBack(connection)
    }
  }

  /** Replaces every connection that is open now, since `outdated` is stale: those in use, after their use. */
  renew(outdated: Connection): void {
    if (this.#outdated.has(outdated)) return
    for (const connection of this.#inUse) this.#outdated.add(connection)
    for (const connection of this.#idle.splice(0)) this.#drop(connection)
  }

  /** Opens a connection. Throws an error with advice if that fails. */
  async begin(): Promise<void> {
    let connection
    this.#opening++
    try {
      connection = await this.#lending.open()
      this.#open++
    } finally {
      this.#opening--
    }
    this.#giveBack(connection)
  }

  /** Rejects new work, and resolves once all connections are returned and closed. */
  async close(): Promise<void> {
    if (!this.#closed) {
      this.#closed = new Error('The database is closed.')
      for (const connection of this.#idle.splice(0)) this.#drop(connection)
      this.#settle()
    }
    await this.#allClosed.promise
  }

  async #take(): Promise<Connection> {
    if (this.#closed) throw this.#closed
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
      if (!idle.lost.aborted) {
        this.#inUse.add(idle)
        return idle
      }
      this.#drop(idle)
    }
    const waited = this.#waited()
    this.#grow()
    return waited
  }

  /** Opens a connection for each waiting work, unless one was just refused and one in use may come free. */
  #grow(): void {
    if (this.#refusal !== undefined && this.#mayComeFree()) return
    while (this.#isShort()) void this.#openOne()
  }

  #isShort(): boolean {
    const connections = this.#open + this.#opening
    return this.#waiting.size > this.#opening && connections < this.#lending.most
  }

  /** Opens a connection for whoever has waited longest by the time it is open. */
  async #openOne(): Promise<void> {
    try {
      await this.begin()
      this.#mayGrow()
    } catch (error) {
      this.#refuse(this.#lending.busyOf(error))
    }
    this.#grow()
    this.#settle()
  }

  #mayGrow(): void {
    this.#refusal = undefined
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  /** Retries later. If no connection in use can come free, whoever has waited longest gets the refusal. */
  #refuse(refusal: unknown): void {
    this.#refusal = refusal
    if (!this.#mayComeFree()) this.#next()?.reject(refusal)
    this.#timer ??= setTimeout(() => this.#tryAgain(), pause).unref()
  }

  /** Whether a connection is in use and not lost. */
  #mayComeFree(): boolean {
    return this.#inUse.values().some(({ lost }) => !lost.aborted)
  }

  #tryAgain(): void {
    this.#timer = undefined
    if (this.#isShort()) void this.#openOne()
    else this.#mayGrow()
  }

  #waited(): Promise<Connection> {
    const { promise, resolve, reject } = Promise.withResolvers<Connection>()
    const waiting = { resolve, reject }
    this.#waiting.add(waiting)
    const late = () => {
      this.#waiting.delete(waiting)
      reject(this.#late())
    }
    const timer = setTimeout(late, this.#lending.wait)
    return promise.finally(() => clearTimeout(timer))
  }

  #late(): DatabaseBusy {
    const late = 'No connection to the database came free in time'
    if (this.#refusal === undefined) return new DatabaseBusy(`${late}.`)
    const reason = messageOf(causeOf(this.#refusal))
    return new DatabaseBusy(`${late}, and no other could be opened: ${reason}`, {
      cause: this.#refusal,
    })
  }

  #giveBack(connection: Connection): void {
    const isOver = connection.lost.aborted || this.#outdated.has(connection)
    if (isOver || (this.#closed && this.#waiting.size === 0)) {
      this.#drop(connection)
      return
    }
    const next = this.#next()
    if (!next) {
      this.#idle.push(connection)
      return
    }
    this.#inUse.add(connection)
    next.resolve(connection)
  }

  #next(): Waiting<Connection> | undefined {
    const [next] = this.#waiting
    if (next) this.#waiting.delete(next)
    return next
  }

  /** Closes a connection, and opens another in its place if work is waiting. */
  #drop(connection: Connection): void {
    void connection.end()
    this.#open--
    if (this.#isShort()) void this.#openOne()
    this.#grow()
    this.#settle()
  }

  #settle(): void {
    if (!this.#closed || this.#open + this.#opening > 0) return
    clearTimeout(this.#timer)
    this.#allClosed.resolve()
  }
}
