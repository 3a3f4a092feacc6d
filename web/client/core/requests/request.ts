import type { Page } from '../../../contract/pages.ts'
import { isLeaving } from './leaving.ts'

/** A request of any kind, not only of the page protocol. */
export interface Sending {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: FormData | URLSearchParams | string
  readonly signal?: AbortSignal
  /** Timeout in milliseconds, after which the result is `gone`; restarted by each progress event. */
  readonly patience?: number
  /** Called with the upload's progress. */
  readonly onSent?: (sent: ProgressEvent) => void
}

/** `gone`: network or server unreachable. `stopped`: aborted by us, or because the page is being left. */
export type Unanswered = 'gone' | 'stopped'

interface PageRequest extends Omit<Sending, 'headers'> {
  /** The build of the requesting page. */
  readonly version: string
  /** Headers besides those of the page protocol. */
  readonly headers?: Readonly<Record<string, string>>
}

/** The answer to a validation-only request: an error for each invalid field. */
interface Checked {
  readonly result: 'checked'
  readonly errors: Readonly<Record<string, string>>
}

export type Outcome =
  | { readonly result: 'page'; readonly page: Page }
  /** The server wants this address loaded as a document (contract: Page protocol, 409). */
  | { readonly result: 'elsewhere'; readonly url: string }
  | Checked
  /** An answer outside the page protocol: a file, or the error page of a proxy. */
  | { readonly result: 'foreign' }
  | { readonly result: Unanswered }

/** Sends a page-protocol request; redirects are followed with the same headers. Never throws. */
export async function ask({ version, headers, ...request }: PageRequest): Promise<Outcome> {
  const allHeaders = { 'X-Page': 'true', 'X-Page-Version': version, ...headers }
  const answer = await transfer({ ...request, headers: allHeaders })
  return typeof answer === 'string' ? { result: answer } : outcomeOf(answer)
}

/** Sends a request and resolves once it is answered. Never throws. */
export function transfer(sending: Sending): Promise<XMLHttpRequest | Unanswered> {
  // A timeout for all requests: on a connection that broke silently the answer would never come.
  const { method, url, headers, body, signal, patience = 30_000, onSent } = sending
  return new Promise((resolve) => {
    // XMLHttpRequest instead of fetch: only it reports upload progress, and one way to send is enough.
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
      // The signal may outlive many requests, such as the reloads of an open page, and would retain each.
      signal?.removeEventListener('abort', stop)
    })
    xhr.send(body)
  })
}

/** Returns the text fields of a form; files can only be sent as multipart. */
export function urlencoded(fields: FormData): URLSearchParams {
  const text = [...fields].filter(
    (field): field is [string, string] => typeof field[1] === 'string',
  )
  return new URLSearchParams(text)
}

function outcomeOf(xhr: XMLHttpRequest): Outcome {
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

/** Returns undefined for an empty answer, or one that a proxy has truncated. */
function parsed(text: string): (Page & Pick<Checked, 'errors'>) | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
