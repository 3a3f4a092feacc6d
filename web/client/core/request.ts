import type { Page } from '../../contract/pages.ts'
import { isLeaving } from './leaving.ts'

/** A request of any protocol. */
export interface Sending {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: FormData | URLSearchParams | string
  readonly signal?: AbortSignal
  /** Milliseconds without an answer after which the result is `gone`; counted anew when a part is sent or received. */
  readonly patience?: number
  /** Told how much of the body is sent, whenever a part of it has gone. */
  readonly onSent?: (sent: ProgressEvent) => void
}

/** `gone`: no answer, the network or the server is gone. `stopped`: aborted by us, or as the page is left. */
export type Unanswered = 'gone' | 'stopped'

interface PageRequest extends Omit<Sending, 'headers'> {
  /** The build of the page that asks. */
  readonly version: string
  /** Headers beside those of the page protocol. */
  readonly headers?: Readonly<Record<string, string>>
}

/** The answer to a validation-only request: an error for each field that failed. */
interface Checked {
  readonly result: 'checked'
  readonly errors: Readonly<Record<string, string>>
}

export type Outcome =
  | { readonly result: 'page'; readonly page: Page }
  /** The server wants this address loaded as a document (contract: Page protocol, 409). */
  | { readonly result: 'elsewhere'; readonly url: string }
  | Checked
  /** An answer outside the page protocol: a file, or something between us and the server. */
  | { readonly result: 'foreign' }
  | { readonly result: Unanswered }

/** Sends a page-protocol request; redirects are followed with the same headers. Never throws. */
export async function ask({ version, headers, ...request }: PageRequest): Promise<Outcome> {
  const allHeaders = { 'X-Page': 'true', 'X-Page-Version': version, ...headers }
  const answer = await transfer({ ...request, headers: allHeaders })
  return typeof answer === 'string' ? { result: answer } : judge(answer)
}

/** Sends a request, and resolves with it once it is answered. Never throws. */
export function transfer(sending: Sending): Promise<XMLHttpRequest | Unanswered> {
  // A default for all: on a connection that broke unnoticed the answer would never come.
  const { method, url, headers, body, signal, patience = 30_000, onSent } = sending
  return new Promise((resolve) => {
    // Not fetch: only XMLHttpRequest tells how far an upload has come, and one way to send is enough.
    const xhr = new XMLHttpRequest()
    xhr.open(method, url)
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value)
    xhr.addEventListener('load', () => resolve(xhr))
    xhr.addEventListener('error', () => resolve(isLeaving() ? 'stopped' : 'gone'))
    xhr.addEventListener('abort', () => resolve('stopped'))
    if (signal?.aborted) return resolve('stopped')
    const stop = () => xhr.abort()
    signal?.addEventListener('abort', stop)
    let timer: number | undefined
    const wait = () => {
      clearTimeout(timer)
      timer = window.setTimeout(() => (resolve('gone'), stop()), patience)
    }
    wait()
    xhr.addEventListener('progress', wait)
    xhr.upload.addEventListener('progress', (sent) => {
      wait()
      onSent?.(sent)
    })
    xhr.addEventListener('loadend', () => {
      clearTimeout(timer)
      // The signal may outlive many requests: a page that stays open reloads by one, which would keep each answer.
      signal?.removeEventListener('abort', stop)
    })
    xhr.send(body)
  })
}

/** The text fields of a form; a file travels by multipart alone. */
export function urlencoded(fields: FormData): URLSearchParams {
  const text = [...fields].filter(
    (field): field is [string, string] => typeof field[1] === 'string',
  )
  return new URLSearchParams(text)
}

function judge(xhr: XMLHttpRequest): Outcome {
  const { status, responseText: text } = xhr
  const url = status === 409 && xhr.getResponseHeader('X-Page-Location')
  if (url) return { result: 'elsewhere', url }
  const json = parsed(text)
  if (xhr.getResponseHeader('X-Page-Validate-Only')) {
    return { result: 'checked', errors: json?.errors ?? {} }
  }
  return json && xhr.getResponseHeader('X-Page')
    ? { result: 'page', page: { ...json, answered: Date.now() } }
    : { result: 'foreign' }
}

/** undefined for an empty answer, or one that something between us and the server has cut short. */
function parsed(text: string): (Page & Pick<Checked, 'errors'>) | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
