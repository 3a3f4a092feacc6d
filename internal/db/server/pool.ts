import { DatabaseBusy } from '../db.ts'
import { causeOf, messageOf } from './unreachable.ts'

/** A connection to a server. Once it is lost it stays so. */
export interface Lendable {
  /** Aborted when it is gone. */
  readonly lost: AbortSignal
  /** Closes it, whatever is under way on it. */
  end(): Promise<void>
}

interface Lending<Connection> {
  /** Connects, or says what to do. */
  readonly open: () => Promise<Connection>
  /** Returns a `DatabaseBusy` for a refused connection that may be granted later; other refusals as they are. */
  readonly busyOf: (refusal: unknown) => unknown
  /** Connections at most. */
  readonly most: number
  /** The milliseconds that somebody waits for a connection. */
  readonly wait: number
}

interface Waiting<Connection> {
  readonly resolve: (connection: Connection) => void
  readonly reject: (error: unknown) => void
}

// Milliseconds after which a connection that was refused is asked for again: the server logs each refusal.
const pause = 500

/**
 * Connections, each lent to one piece of work at a time. Where the server grants no more of them, whoever waits gets
 * one of those that are open, once it is given back.
 */
export class Pool<Connection extends Lendable> {
  readonly #lending: Lending<Connection>
  /** The one used last is lent first, from the end: so what closes idle connections can close the others. */
  readonly #idle: Connection[] = []
  readonly #inUse = new Set<Connection>()
  readonly #outdated = new WeakSet<Connection>()
  readonly #waiting = new Set<Waiting<Connection>>()
  #open = 0
  #opening = 0
  /** Why the last connection that was asked for could not be had; undefined when another may be asked for. */
  #refusal: unknown
  #later: NodeJS.Timeout | undefined
  #closed: Error | undefined
  readonly #allClosed = Promise.withResolvers<void>()

  constructor(lending: Lending<Connection>) {
    this.#lending = lending
  }

  /** Lends one for as long as the work takes. Throws `DatabaseBusy` when there is none in time. */
  async with<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    const connection = await this.#taken()
    try {
      return await work(connection)
    } finally {
      this.#inUse.delete(connection)
      this.#giveBack(connection)
    }
  }

  /** Has every connection that is open now replaced, as `outdated` is out of date: those in use, after their use. */
  renew(outdated: Connection): void {
    if (this.#outdated.has(outdated)) return
    for (const connection of this.#inUse) this.#outdated.add(connection)
    for (const connection of this.#idle.splice(0)) this.#drop(connection)
  }

  /** Opens a connection. Throws an error that says what to do where that fails. */
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

  /** Serves nobody who comes from now on, and resolves once all connections are back and closed. */
  async close(): Promise<void> {
    if (!this.#closed) {
      this.#closed = new Error('The database is closed.')
      for (const connection of this.#idle.splice(0)) this.#drop(connection)
      this.#settle()
    }
    await this.#allClosed.promise
  }

  async #taken(): Promise<Connection> {
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

  /** Opens a connection for each who waits, unless one was refused a moment ago and one in use may come free. */
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
    clearTimeout(this.#later)
    this.#later = undefined
  }

  /** Tries again later. Where no connection in use can come free, whoever has waited longest gets the refusal. */
  #refuse(refusal: unknown): void {
    this.#refusal = refusal
    if (!this.#mayComeFree()) this.#next()?.reject(refusal)
    this.#later ??= setTimeout(() => this.#tryAgain(), pause).unref()
  }

  /** Whether one is in use that is not lost. */
  #mayComeFree(): boolean {
    return this.#inUse.values().some(({ lost }) => !lost.aborted)
  }

  #tryAgain(): void {
    this.#later = undefined
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
    const why = messageOf(causeOf(this.#refusal))
    return new DatabaseBusy(`${late}, and no other could be opened: ${why}`, {
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

  /** Closes a connection. Another one is opened in its place if somebody waits. */
  #drop(connection: Connection): void {
    void connection.end()
    this.#open--
    if (this.#isShort()) void this.#openOne()
    this.#grow()
    this.#settle()
  }

  #settle(): void {
    if (!this.#closed || this.#open + this.#opening > 0) return
    clearTimeout(this.#later)
    this.#allClosed.resolve()
  }
}
