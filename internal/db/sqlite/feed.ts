import { setImmediate as turn } from 'node:timers/promises'
import type { Broadcast } from '../broadcasts.ts'
import type { Db } from '../db.ts'
import type { Feed, Feeds, Follower } from '../feed.ts'

export const feeds: Feeds = {
  open: ({ db }, follower) => new Reader(db, follower),
}

// Milliseconds: four times a second (spec: Broadcast events).
const readEvery = 250
// What is a minute old may be pruned before it was read.
const longestPause = 50_000

/**
 * Reads on from the last event that there was when it was made, until it is closed. One transaction writes at a time,
 * so that the order of the IDs is that of the commits.
 */
class Reader implements Feed {
  readonly begun: Promise<void>
  readonly #db: Db
  readonly #follower: Follower
  readonly #timer = setInterval(() => void this.#read(), readEvery)
  readonly #hasBegun = Promise.withResolvers<void>()
  #last: number | undefined
  #readAt = performance.now()
  #isReading = false
  #isAsked = false
  #isFailing = false
  #isClosed = false

  constructor(db: Db, follower: Follower) {
    this.#db = db
    this.#follower = follower
    this.begun = this.#hasBegun.promise
    void this.#read()
  }

  wake(): void {
    void this.#read()
  }

  close(): void {
    this.#isClosed = true
    clearInterval(this.#timer)
    this.#hasBegun.resolve()
  }

  /** Tells of what has been committed since. Asked while it reads, it reads once more. Never throws. */
  async #read(): Promise<void> {
    this.#isAsked = true
    if (this.#isReading) return
    this.#isReading = true
    while (this.#isAsked && !this.#isClosed) {
      this.#isAsked = false
      await this.#readOnce()
    }
    this.#isReading = false
  }

  async #readOnce(): Promise<void> {
    try {
      if (this.#last === undefined) await this.#begin()
      else await this.#goOn(this.#last)
      this.#isFailing = false
    } catch (error) {
      // Once for as long as it fails, and not four times a second.
      if (!this.#isFailing && !this.#isClosed) this.#follower.failed(error)
      this.#isFailing = true
    }
  }

  async #begin(): Promise<void> {
    const last = await this.#db.first<{ id: number | null }>`
      SELECT max(id) AS id FROM broadcasts`
    this.#last = last?.id ?? 0
    this.#readAt = performance.now()
    this.#hasBegun.resolve()
  }

  async #goOn(after: number): Promise<void> {
    const found = await this.#db.all<Broadcast>`
      SELECT id, channel, event FROM broadcasts WHERE id > ${after} ORDER BY id LIMIT 1000`
    if (this.#isClosed) return
    const now = performance.now()
    if (now - this.#readAt > longestPause) this.#follower.missed()
    this.#readAt = now
    const last = found.at(-1)
    if (!last) return
    this.#last = last.id
    // There may be more of them: a read brings some at a time.
    this.#isAsked = true
    for (const event of found) this.#follower.told(event)
    // What was told goes out before more is: a stream that seems not to be read is ended.
    await turn()
  }
}
