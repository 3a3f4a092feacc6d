import type { Writable } from 'node:stream'
import { eventSlack } from '../../../web/contract/event-slack.ts'
import { mostStreams } from '../../../web/contract/limits.ts'
import { latestBegin } from '../../base/lifetimes.ts'
import { channelOf } from '../../services/events.ts'
import { noStore, Refusal } from '../answer.ts'
import { type Beating, heartbeatsOf } from '../node/heartbeat.ts'
import type { Span } from '../../db/broadcasts.ts'
import type { App, Listener } from '../../app.ts'
import type { EventName } from '../../../web/contract/event-names.ts'
import type { UserContext } from '../context.ts'
import type { Handler } from '../form/form.ts'

const refusedForSeconds = 30

const headers = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': noStore,
  // A buffering proxy would hold the events back.
  'X-Accel-Buffering': 'no',
}

/** Streams the user's events (spec: Events stream). */
export const streamEvents: Handler<UserContext> = ({ app, id, visitor, search, words }) => {
  const channel = channelOf(visitor.user.id)
  // Limits the streams of a user per process (security rule 14).
  if (app.events.listening(channel) >= mostStreams) {
    const retryAfter = { 'Retry-After': String(refusedForSeconds) }
    throw new Refusal(429, retryAfter, words.errors.streams)
  }
  return { status: 200, headers, body: streamOf(app, id, channel, sinceOf(app, search)) }
}

// A separate function, so that a stream, which lasts for minutes, retains only the ID of its request.
function streamOf(app: App, request: string, channel: string, since: Span | undefined) {
  return (out: Writable) => void new EventStream(out, request).open(app, channel, since)
}

/**
 * Returns the span of past events that the page wants. The page sends its age in milliseconds rather than a
 * time, since its clock may differ from ours.
 */
function sinceOf(app: App, search: string): Span | undefined {
  const age = /^\?age=(\d{1,6})$/.exec(search)?.[1]
  if (age === undefined) return undefined
  const now = app.now()
  return { from: new Date(now.getTime() - Number(age) - eventSlack), until: latestBegin(now) }
}

// Bytes that a browser may leave unread: beyond that it is gone, or malicious.
const mostUnread = 64 * 1024

class EventStream implements Listener, Beating {
  readonly #out: Writable
  readonly #request: string
  #isListening = false

  constructor(out: Writable, request: string) {
    this.#out = out
    this.#request = request
  }

  async open(app: App, channel: string, since: Span | undefined): Promise<void> {
    // Checked again in the event loop turn in which it joins: concurrent requests all pass the first check.
    if (app.events.listening(channel) >= mostStreams) return this.end()
    const stopHeartbeat = heartbeatsOf(app).join(this)
    // Registered before the events are read: a browser gone by then must not count among the user's streams.
    this.#out.once('close', () => {
      stopHeartbeat()
      app.events.leave(channel, this)
    })
    try {
      await app.events.listen(channel, this, since)
      this.#isListening = true
      // Sends the headers, if no event has yet: from here on nothing is missed.
      this.#write(`retry: ${comeBackAfter()}\n\n`)
    } catch (error) {
      // The browser reconnects, and then reloads its page.
      app.log.error('the events could not be read', { error, request: this.#request })
      this.#out.destroy()
    }
  }

  hear(event: EventName): void {
    this.#write(`event: ${event}\ndata: {}\n\n`)
  }

  /** Does nothing yet while the events cannot be read: the page would take the stream for open. */
  beat(): void {
    if (this.#isListening) this.#write(':\n\n')
  }

  end(): void {
    this.#out.end()
  }

  #write(text: string): void {
    if (this.#out.writableEnded || this.#out.destroyed) return
    if (this.#out.writableLength > mostUnread) this.#out.destroy()
    else this.#out.write(text)
  }
}

/** Milliseconds, randomised so that not all clients reconnect at once to a service that starts. */
function comeBackAfter(): number {
  return 1000 + Math.floor(Math.random() * 4000)
}
