import { broadcasts } from '#db/broadcasts'
import { feeds } from '#db/feed'
import type { App, Events, Listener } from '../app.ts'
import type { Broadcast } from '../db/broadcasts.ts'
import type { Tx } from '../db/db.ts'
import type { Feed, Follower } from '../db/feed.ts'
import type { EventName } from '../../web/contract/event-names.ts'

/** Publishes an event to the open pages of a user, once its change is committed (spec: Broadcast events). */
export async function publish(app: App, tx: Tx, userId: number, event: EventName): Promise<void> {
  await broadcasts.insert(tx, { channel: channelOf(userId), event, at: app.now() })
  tx.afterCommit(() => app.events.wake())
}

/** Returns the channel of a user's own events. */
export function channelOf(userId: number): string {
  return `users.${userId}`
}

/** Delivers the events of all processes to this one's listeners; reads nothing while there are none. */
export function openEvents({ config, db, log }: Pick<App, 'config' | 'db' | 'log'>): Events {
  const channels = new Map<string, Map<Listener, Hearing>>()
  let feed: Feed | undefined
  let isClosed = false

  const follower: Follower = {
    received(event) {
      for (const hearing of channels.get(event.channel)?.values() ?? []) hearing.tell(event)
    },
    // The pages reconnect, and then reload.
    missed: endAll,
    failed: (error) => log.error('the events could not be read', { error }),
  }

  function leave(channel: string, listener: Listener): void {
    const those = channels.get(channel)
    if (!those?.delete(listener)) return
    if (those.size === 0) channels.delete(channel)
    if (channels.size > 0) return
    feed?.close()
    feed = undefined
  }

  function endAll(): void {
    for (const [channel, those] of channels) {
      for (const listener of those.keys()) {
        leave(channel, listener)
        listener.end()
      }
    }
  }

  return {
    async listen(channel, listener, since) {
      if (isClosed) return listener.end()
      const those = channels.get(channel) ?? new Map<Listener, Hearing>()
      const hearing = new Hearing(listener)
      channels.set(channel, those.set(listener, hearing))
      feed ??= feeds.open({ db, address: config.database }, follower)
      await feed.started
      try {
        hearing.begin(since ? await broadcasts.recent(db, { channel, ...since }) : [])
      } catch (error) {
        leave(channel, listener)
        throw error
      }
    },
    leave,
    listening: (channel) => channels.get(channel)?.size ?? 0,
    wake: () => feed?.wake(),
    close() {
      isClosed = true
      endAll()
    },
  }
}

/** A listener that first receives past events, then new ones: each once, even if it is among both. */
class Hearing {
  readonly #listener: Listener
  /** New events buffered until the past ones are read. */
  #early: Broadcast[] | undefined = []
  #delivered = new Set<number>()

  constructor(listener: Listener) {
    this.#listener = listener
  }

  tell(broadcast: Broadcast): void {
    if (this.#early) this.#early.push(broadcast)
    else if (!this.#delivered.delete(broadcast.id)) this.#hear(broadcast)
  }

  begin(earlier: readonly Broadcast[]): void {
    const early = this.#early ?? []
    this.#early = undefined
    this.#delivered = new Set(earlier.map(({ id }) => id))
    for (const broadcast of earlier) this.#hear(broadcast)
    for (const broadcast of early) this.tell(broadcast)
  }

  #hear({ event }: Broadcast): void {
    // Only `publish` writes events, perhaps in a later version with names that this one does not know.
    this.#listener.hear(event as EventName)
  }
}
