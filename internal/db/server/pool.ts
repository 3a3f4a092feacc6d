import { DatabaseBusy } from '../db.ts'

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
  /** A `DatabaseBusy` in the place of a refusal that may be over after a while; others as they are. */
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

/** Connections that are used by one at a time. */
export class Pool<Connection extends Lendable> {
  readonly #lending: Lending<Connection>
  /** The last one that was used comes first, so that its neighbours are closed by whoever closes idle ones. */
  readonly #idle: Connection[] = []
  readonly #lent = new Set<Connection>()
  readonly #outdated = new WeakSet<Connection>()
  readonly #waiting = new Set<Waiting<Connection>>()
  #open = 0
  #closed: Error | undefined
  readonly #allClosed = Promise.withResolvers<void>()

  constructor(lending: Lending<Connection>) {
    this.#lending = lending
  }

  /** Lends one for as long as the work takes. Throws `DatabaseBusy` when there is none in time. */
  async with<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    const connection = await this.#taken()
    this.#lent.add(connection)
    try {
      return await work(connection)
    } finally {
      this.#lent.delete(connection)
      this.#giveBack(connection)
    }
  }

  /** What one of them has prepared suits no more: those that are open by now are lent to nobody else. */
  renew(lent: Connection): void {
    if (this.#outdated.has(lent)) return
    for (const connection of this.#lent) this.#outdated.add(connection)
    for (const connection of this.#idle.splice(0)) this.#drop(connection)
  }

  /** Opens the first one, and says what to do where it cannot be. */
  async begin(): Promise<void> {
    this.#open++
    try {
      this.#giveBack(await this.#lending.open())
    } catch (error) {
      this.#open--
      throw error
    }
  }

  /** Lends none any more, and resolves once all are back and closed. */
  async close(): Promise<void> {
    if (!this.#closed) {
      this.#closed = new Error('The database is closed.')
      for (const connection of this.#idle.splice(0)) this.#drop(connection)
      if (this.#open === 0) this.#allClosed.resolve()
    }
    await this.#allClosed.promise
  }

  async #taken(): Promise<Connection> {
    if (this.#closed) throw this.#closed
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
      if (!idle.lost.aborted) return idle
      this.#drop(idle)
    }
    const waited = this.#waited()
    if (this.#open < this.#lending.most) void this.#openOne()
    return waited
  }

  /** For whoever waits longest by then, who is told as well where it cannot be. */
  async #openOne(): Promise<void> {
    this.#open++
    try {
      this.#giveBack(await this.#lending.open())
    } catch (error) {
      this.#next()?.reject(this.#lending.busyOf(error))
      this.#left()
    }
  }

  #waited(): Promise<Connection> {
    const { promise, resolve, reject } = Promise.withResolvers<Connection>()
    const waiting = { resolve, reject }
    this.#waiting.add(waiting)
    const late = () => {
      this.#waiting.delete(waiting)
      reject(new DatabaseBusy('No connection to the database came free in time.'))
    }
    const timer = setTimeout(late, this.#lending.wait)
    return promise.finally(() => clearTimeout(timer))
  }

  #giveBack(connection: Connection): void {
    const isOver = connection.lost.aborted || this.#outdated.has(connection)
    if (isOver || (this.#closed && this.#waiting.size === 0)) {
      this.#drop(connection)
      return
    }
    const next = this.#next()
    if (next) next.resolve(connection)
    else this.#idle.push(connection)
  }

  #next(): Waiting<Connection> | undefined {
    const [next] = this.#waiting
    if (next) this.#waiting.delete(next)
    return next
  }

  #drop(connection: Connection): void {
    void connection.end()
    this.#left()
  }

  /** There is room for another one, which is opened if somebody waits. */
  #left(): void {
    this.#open--
    if (this.#waiting.size > 0) void this.#openOne()
    else if (this.#closed && this.#open === 0) this.#allClosed.resolve()
  }
}
