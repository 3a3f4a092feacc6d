import type { Writable } from 'node:stream'

/** What a request is answered with; `serve` adds the headers that every answer carries. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | Stream
  /** Each a Set-Cookie. */
  readonly cookies?: readonly string[]
}

/**
 * A body that is written piece by piece. The function gets the response once its headers are set, and ends it. It is
 * not called for a HEAD. The length of the body is in the headers where it is known.
 */
export type Stream = (out: Writable) => void

/** Sends the browser on to a path of this site, asked for with GET. */
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

/** Nothing of this answer may be kept: it is one person's, at one moment. */
export const noStore = 'no-store, private'

/**
 * Thrown to end a request with a refusal that is nobody's bug. `explanation` is shown to the person where it can
 * say more than the status does.
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
