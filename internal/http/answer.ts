import type { Writable } from 'node:stream'

/** The answer to a request; `serve` adds the headers common to all answers. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | Stream
  /** Set-Cookie values. */
  readonly cookies?: readonly string[]
}

/**
 * A streamed body. The function gets the response once its headers are set, and ends it. It is not called for
 * a HEAD. Content-Length is among the headers where it is known.
 */
export type Stream = (out: Writable) => void

/** Redirects the browser to a path of this site, to be requested with GET. */
export function seeOther(location: string, headers: Record<string, string> = {}): Answer {
  return {
    status: 303,
    headers: { Location: location, 'Cache-Control': noStore, ...headers },
    body: '',
  }
}

export function json(status: number, value: unknown, headers: Record<string, string> = {}): Answer {
  return {
    status,
    headers: { 'Content-Type': 'application/json', 'Cache-Control': noStore, ...headers },
    body: JSON.stringify(value),
  }
}

export function text(status: number, body: string, headers: Record<string, string> = {}): Answer {
  return {
    status,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': noStore, ...headers },
    body,
  }
}

export function noContent(headers: Record<string, string> = {}): Answer {
  return { status: 204, headers: { 'Cache-Control': noStore, ...headers }, body: '' }
}

/** Forbids caching: the answer is for one person at one moment. */
export const noStore = 'no-store, private'

/**
 * Thrown to refuse a request where nothing is broken. `explanation` is shown to the person where it can say
 * more than the status does.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly explanation: string | undefined

  constructor(status: number, headers: Record<string, string> = {}, explanation?: string) {
    super(explanation ?? `refused with ${status}`)
    this.status = status
    this.headers = headers
    this.explanation = explanation
  }
}

/** Thrown if a browser hung up before it had sent all of a body: nobody reads the answer, but it is logged. */
export class HungUp extends Refusal {
  constructor() {
    super(400, { Connection: 'close' })
  }
}
