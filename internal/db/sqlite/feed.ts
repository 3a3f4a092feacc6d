import type { Broadcast } from '../broadcasts.ts'
import type { Db } from '../db.ts'
import type { Feeds } from '../feed.ts'
import { PolledFeed, type Events } from '../polled-feed.ts'

export const feeds: Feeds = {
  open: ({ db }, follower) => new PolledFeed(new InOrder(db), follower),
}

/** One transaction writes at a time, so the order of IDs is the order of commits. */
class InOrder implements Events {
  readonly #db: Db
  #last = 0

  constructor(db: Db) {
    this.#db = db
  }

  async begin(): Promise<void> {
    const last = await this.#db.first<{ id: number | null }>`
      SELECT max(id) AS id FROM broadcasts`
    this.#last = last?.id ?? 0
  }

  async next(): Promise<readonly Broadcast[]> {
    const events = await this.#db.all<Broadcast>`
      SELECT id, channel, event FROM broadcasts WHERE id > ${this.#last} ORDER BY id LIMIT 1000`
    this.#last = events.at(-1)?.id ?? this.#last
    return events
  }
}
