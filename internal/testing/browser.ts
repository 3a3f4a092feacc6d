import { type IncomingHttpHeaders, request } from 'node:http'
import { decodeBody } from './formats/decode-body.ts'
import type { Flash, PageName, Pages, SharedProps } from '../../web/contract/pages.ts'

/** A form's fields; a repeated field has several values. */
type Fields = Readonly<Record<string, string | readonly string[]>>
type Headers = Readonly<Record<string, string>>

export interface SendOptions {
  readonly headers?: Headers
  /** Stops at a redirect instead of following it. */
  readonly stay?: boolean
  /** Called once the server is handling the request; the body is sent only afterwards. */
  readonly beforeBody?: () => Promise<unknown>
}

interface RequestContent extends SendOptions {
  readonly method: string
  readonly body?: string | Uint8Array
  readonly type?: string
}

/** A file as sent by a form. */
export interface FormFile {
  readonly field: string
  readonly name: string
  readonly type: string
  readonly content: Uint8Array
}

/** The response, after following redirects. */
export class Visit {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** Path and query of the last request. */
  readonly url: string

  constructor(
    status: number,
    headers: IncomingHttpHeaders,
    { body, url }: { body: string; url: string },
  ) {
    this.status = status
    this.headers = headers
    this.body = body
    this.url = url
  }

  get json(): unknown {
    return JSON.parse(this.body)
  }

  /** The page object, from JSON or from the document that embeds it. */
  get page(): {
    component: PageName
    props: Partial<SharedProps> & Partial<Pages[PageName]> & Record<string, unknown>
    url: string
    version: string
    flash: Flash
    encryptHistory: boolean
    clearHistory: boolean
  } {
    const html = /<script type="application\/json" id="page" data-page="app">(.*?)<\/script>/s.exec(
      this.body,
    )
    return JSON.parse(html?.[1] ?? this.body)
  }

  get component(): PageName {
    return this.page.component
  }

  get flash(): Flash {
    return this.page.flash
  }

  get errors(): Readonly<Record<string, string>> {
    return this.page.props.errors ?? {}
  }

  get user() {
    return this.page.props.auth?.user ?? null
  }

  get location(): string | undefined {
    return this.headers.location
  }
}

/**
 * Stands in for a browser with the page client: sends its headers, keeps cookies, follows redirects (spec: Testing
 * expectations). `document` behaves like a browser without JavaScript.
 */
export class Browser {
  readonly cookies = new Map<string, string>()
  readonly #origin: string
  readonly #port: number
  readonly #version: string
  #location = '/'

  constructor({ origin, port, version }: { origin: string; port: number; version: string }) {
    this.#origin = origin
    this.#port = port
    this.#version = version
  }

  get(url: string, options: SendOptions = {}): Promise<Visit> {
    return this.#visit(url, {
      method: 'GET',
      ...options,
      headers: { ...this.#page(), ...options.headers },
    })
  }

  post(url: string, fields: Fields = {}, options: SendOptions = {}): Promise<Visit> {
    return this.#visit(url, {
      method: 'POST',
      body: urlencoded(fields),
      ...options,
      headers: { ...this.#page(), ...options.headers },
    })
  }

  /** Makes the server check some of a form's fields without performing the form's action. */
  validate(url: string, fields: Fields, only: readonly string[] = []): Promise<Visit> {
    return this.post(url, fields, {
      headers: { 'X-Page-Validate-Only': only.join(',') },
      stay: true,
    })
  }

  /** Requests like a browser without JavaScript: documents, and plain forms. */
  document(url: string, fields?: Fields, options: SendOptions = {}): Promise<Visit> {
    const method = fields ? 'POST' : 'GET'
    const body = fields && urlencoded(fields)
    return this.#visit(url, { method, body, ...options })
  }

  /** Sends a form with a file as multipart/form-data, like the page client. */
  async upload(url: string, file: FormFile, fields: Fields = {}, options: SendOptions = {}) {
    const form = new FormData()
    for (const [name, value] of pairs(fields)) form.append(name, value)
    const { field, name, type, content } = file
    form.append(field, new Blob([new Uint8Array(content)], { type }), name)
    const encoded = new Response(form)
    return this.#visit(url, {
      method: 'POST',
      body: await encoded.bytes(),
      type: encoded.headers.get('content-type') ?? '',
      ...options,
      headers: { ...this.#page(), ...options.headers },
    })
  }

  /** Posts like a script that sends JSON, outside the page protocol. */
  postJson(url: string, value: unknown, options: SendOptions = {}): Promise<Visit> {
    const body = JSON.stringify(value)
    return this.#visit(url, { method: 'POST', body, type: 'application/json', ...options })
  }

  /** Sends any request. */
  send(method: string, url: string, options: SendOptions & { body?: string; type?: string } = {}) {
    return this.#visit(url, { method, ...options, stay: true })
  }

  #page(): Headers {
    return { 'X-Page': 'true', 'X-Page-Version': this.#version }
  }

  async #visit(url: string, content: RequestContent, redirects = 0): Promise<Visit> {
    const visit = await this.#exchange(url, content)
    const { location } = visit
    if (content.stay || !location || visit.status < 301 || visit.status > 308) {
      if (visit.status < 300 && content.method === 'GET') this.#location = url
      return visit
    }
    if (redirects === 20) throw new Error(`${url} redirects for ever`)
    const repeats = visit.status === 307 || visit.status === 308
    const next = repeats
      ? content
      : { ...content, method: 'GET', body: undefined, beforeBody: undefined }
    return this.#visit(location, next, redirects + 1)
  }

  #exchange(
    url: string,
    { method, body, type, beforeBody, headers = {} }: RequestContent,
  ): Promise<Visit> {
    return new Promise((resolve, reject) => {
      const outgoing = request(
        {
          host: '127.0.0.1',
          port: this.#port,
          method,
          path: url,
          headers: {
            Host: new URL(this.#origin).host,
            Referer: this.#origin + this.#location,
            ...(this.cookies.size > 0 && { Cookie: this.#cookie() }),
            ...(method !== 'GET' && method !== 'HEAD' && { Origin: this.#origin }),
            ...(body !== undefined && {
              'Content-Type': type ?? 'application/x-www-form-urlencoded',
              'Content-Length': String(Buffer.byteLength(body)),
            }),
            ...(beforeBody && { Expect: '100-continue' }),
            ...headers,
          },
        },
        (answer) => {
          const parts: Buffer[] = []
          answer.on('data', (part: Buffer) => void parts.push(part))
          answer.on('error', reject).on('end', () => {
            this.#storeCookies(answer.headers['set-cookie'] ?? [])
            const body = decodeBody(Buffer.concat(parts), answer.headers['content-encoding'])
            resolve(new Visit(answer.statusCode ?? 0, answer.headers, { body, url }))
          })
        },
      )
      // As bytes: with a string, Node would send the headers in that string's encoding too.
      const end = () => outgoing.end(body === undefined ? undefined : Buffer.from(body))
      outgoing.on('error', reject)
      if (beforeBody) outgoing.on('continue', () => void beforeBody().then(end, reject))
      else end()
    })
  }

  #cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  #storeCookies(set: readonly string[]): void {
    for (const line of set) {
      const [, name = '', value = '', attributes = ''] = /^([^=]+)=([^;]*)(.*)$/.exec(line) ?? []
      if (/;\s*max-age=0/i.test(attributes)) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
  }
}

function urlencoded(fields: Fields): string {
  return new URLSearchParams(pairs(fields)).toString()
}

function pairs(fields: Fields): [string, string][] {
  return Object.entries(fields).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, value]),
  )
}
