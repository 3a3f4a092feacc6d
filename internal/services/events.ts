import { setImmediate as turn } from 'node:timers/promises'
import { broadcasts } from '#db/broadcasts'
import type { App, Events, Listener } from '../app.ts'
import type { Tx } from '../db/db.ts'
import type { EventName } from '../../web/contract/pages.ts'

/** Tells the open pages of a user of an event, once the change it belongs to is on disk (spec: Broadcast events). */
export async function publish(app: App, tx: Tx, userId: number, event: EventName): Promise<void> {
  await broadcasts.insert(tx, { channel: channelOf(userId), event, at: app.now() })
  tx.afterCommit(() => app.events.wake())
}

/** The channel of a user's own events. */
export function channelOf(userId: number): string {
  return `users.${userId}`
}

// Milliseconds: four times a second (spec: Broadcast events).
const readEvery = 250

/** Reads the events of all processes for those who listen in this one; nothing is read while nobody does. */
export function openEvents({ db, log }: Pick<App, 'db' | 'log'>): Events {
  const channels = new Map<string, Set<Listener>>()
  let reader: Reader | undefined
  let isClosed = false

  function tell(channel: string, event: EventName): void {
    for (const listener of channels.get(channel) ?? []) listener.hear(event)
  }

  function leave(channel: string, listener: Listener): void {
    const those = channels.get(channel)
    if (!those?.delete(listener)) return
    if (those.size === 0) channels.delete(channel)
    if (channels.size > 0) return
    reader?.close()
    reader = undefined
  }

  return {
    async listen(channel, listener, from) {
      if (isClosed) {
        listener.end()
        return () => {}
      }
      const those = channels.get(channel) ?? new Set()
      channels.set(channel, those.add(listener))
      reader ??= new Reader({ db, log, tell })
      const upTo = reader.last ?? (await reader.ready)
      try {
        for (const { event } of from ? await broadcasts.recent(db, { channel, from, upTo }) : [])
          listener.hear(event as EventName)
      } catch (error) {
        leave(channel, listener)
        throw error
      }
      return () => leave(channel, listener)
    },
    listening: (channel) => channels.get(channel)?.size ?? 0,
    wake: () => void reader?.read(),
    close() {
      isClosed = true
      for (const [channel, those] of channels) {
        for (const listener of those) {
          leave(channel, listener)
          listener.end()
        }
      }
    },
  }
}

interface Work extends Pick<App, 'db' | 'log'> {
  readonly tell: (channel: string, event: EventName) => void
}

/** Reads on from the last event that there was when it was made, until it is closed. */
class Reader {
  /** The ID after which it tells of all that comes, once it knows it. */
  readonly ready: Promise<number>
  readonly #work: Work
  readonly #timer = setInterval(() => void this.read(), readEvery)
  readonly #begun = Promise.withResolvers<number>()
  #last: number | undefined
  #isReading = false
  #isAsked = false
  #isFailing = false
  #isClosed = false

  constructor(work: Work) {
    this.#work = work
    this.ready = this.#begun.promise
    void this.read()
  }

  /** The ID up to which all is told; undefined before it is `ready`. */
  get last(): number | undefined {
    return this.#last
  }

  /** Tells of what has been committed since. Asked while it reads, it reads once more. Never throws. */
  async read(): Promise<void> {
    this.#isAsked = true
    if (this.#isReading) return
    this.#isReading = true
    while (this.#isAsked && !this.#isClosed) {
      this.#isAsked = false
      await this.#readOnce()
    }
    this.#isReading = false
  }

  close(): void {
    this.#isClosed = true
    clearInterval(this.#timer)
    // Nobody who waits for it listens any more.
    this.#begun.resolve(0)
  }

  async #readOnce(): Promise<void> {
    try {
      if (this.#last === undefined) await this.#begin()
      else await this.#goOn(this.#last)
      this.#isFailing = false
    } catch (error) {
      // Once for as long as it fails, and not four times a second.
      if (!this.#isFailing && !this.#isClosed)
        this.#work.log.error('the events could not be read', { error })
      this.#isFailing = true
    }
  }

  async #begin(): Promise<void> {
    this.#last = await broadcasts.lastId(this.#work.db)
    this.#begun.resolve(this.#last)
  }

  async #goOn(after: number): Promise<void> {
    const found = await broadcasts.after(this.#work.db, after)
    const last = found.at(-1)
    if (!last || this.#isClosed) return
    this.#last = last.id
    // There may be more of them: a read brings some at a time.
    this.#isAsked = true
    // Only `publish` writes them, perhaps in a later version that has events which this one knows nothing of.
    for (const { channel, event } of found) this.#work.tell(channel, event as EventName)
    // What was told goes out before more is: a stream that seems not to be read is ended.
    await turn()
  }
}
