import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import type { Broadcast } from '../broadcasts.ts'
import type { Feed, Feeds, Follower } from '../feed.ts'
import { rowOf } from '../server/answer.ts'
import { serverOf } from './address.ts'
import { Connection } from './connection.ts'
import { PolledFeed } from '../polled-feed.ts'
import { rowsOf } from './polled-rows.ts'
import { WithGaps } from '../server/with-gaps.ts'
import { keepTalking, patience } from '../server/keep-talking.ts'
import { untilLost } from '../server/until-lost.ts'
import type { PostgresUrl } from './connection/url.ts'

export const feeds: Feeds = {
  open({ db, address }, follower) {
    const url = serverOf(address)
    // Behind a pooler in transaction mode LISTEN does not work: each transaction may get another connection.
    if (!url.prepare) return new PolledFeed(new WithGaps(rowsOf(db)), follower)
    return new Listening(url, follower)
  },
}

// Milliseconds.
const againAfter = 250

const listen = 'LISTEN broadcasts'

/** A broadcast's notification goes to all users of the database, whichever of its schemas they use. */
interface Notified extends Broadcast {
  /** Absent in notifications of an earlier version's server. */
  readonly schema?: string
}

/** Listens for committed events, in commit order, on a connection of its own; if that is lost, on another one. */
class Listening implements Feed {
  readonly started: Promise<void>
  readonly #url: PostgresUrl
  readonly #follower: Follower
  readonly #hasBegun = Promise.withResolvers<void>()
  readonly #closing = new AbortController()
  #isFailing = false
  /** The schema of our tables. */
  #schema: string | undefined
  #payloads: string[] = []
  #isTelling = false

  constructor(url: PostgresUrl, follower: Follower) {
    this.#url = url
    this.#follower = follower
    this.started = this.#hasBegun.promise
    void this.#goOn()
  }

  /** Does nothing: the server notifies immediately. */
  wake(): void {}

  close(): void {
    this.#closing.abort()
    this.#hasBegun.resolve()
  }

  async #goOn(): Promise<void> {
    const { signal } = this.#closing
    for (let isFirst = true; !signal.aborted;)
      try {
        const connection = await this.#listen()
        // Events committed between the two connections were missed.
        if (!isFirst && !signal.aborted) this.#follower.missed()
        isFirst = false
        this.#isFailing = false
        this.#hasBegun.resolve()
        await untilLost(connection, signal)
        await connection.end()
      } catch (error) {
        // Reported once per outage, not four times a second.
        if (!this.#isFailing && !signal.aborted) this.#follower.failed(error)
        this.#isFailing = true
        await pause(againAfter)
      }
  }

  async #listen(): Promise<Connection> {
    const notified = (payload: string) => this.#hear(payload)
    const connection = await Connection.open(this.#url, { patience, notified })
    try {
      const { schema } = rowOf(
        await connection.ask<{ schema: string }>('SELECT current_schema() AS schema'),
      )
      this.#schema = schema
      await connection.script(listen)
      // Nothing else detects the loss of a server behind a proxy: the proxy answers TCP keepalives.
      keepTalking(connection, listen)
      return connection
    } catch (error) {
      await connection.end()
      throw error
    }
  }

  #hear(payload: string): void {
    this.#payloads.push(payload)
    if (!this.#isTelling) void this.#tellAll()
  }

  /** Passes events on in batches, each going out before the next: a stream whose reader seems stuck is ended. */
  async #tellAll(): Promise<void> {
    this.#isTelling = true
    while (this.#payloads.length > 0) {
      for (const payload of this.#payloads.splice(0, 1000)) this.#tell(payload)
      await nextTurn()
    }
    this.#isTelling = false
  }

  #tell(payload: string): void {
    const notified = readNotified(payload)
    if (!notified) return
    const { schema = this.#schema, ...broadcast } = notified
    if (schema === this.#schema && !this.#closing.signal.aborted) this.#follower.received(broadcast)
  }
}

/** Returns undefined for a notification that no server sent: whoever may connect to the database may notify. */
function readNotified(payload: string): Notified | undefined {
  try {
    const value: unknown = JSON.parse(payload)
    return isNotified(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isNotified(value: unknown): value is Notified {
  const { id, channel, event, schema = '' } = Object(value) as Record<string, unknown>
  return (
    typeof id === 'number' && [channel, event, schema].every((text) => typeof text === 'string')
  )
}
