import { request as http, type IncomingMessage } from 'node:http'
import { request as https } from 'node:https'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { photoDisposition, photoFolder } from '../photo.ts'
import { lifetimes } from '../lifetimes.ts'
import { sha256 } from '../crypto/random.ts'
import { type Bucket, bucketAddress, bucketAddressForBrowsers } from './bucket-address.ts'
import { bucketAdvice, BucketRefusal, BucketSilence } from './bucket-fault.ts'
import type { Files } from './files.ts'

// Milliseconds, each for a whole exchange with its retries.
const longestAsk = 20_000
const longestRead = 120_000
// Short, since a person waits for the check of `doctor`.
const longestCheck = 4_000

// A server that is busy for a moment says so, expecting a retry (S3 API reference: SlowDown, InternalError).
const passing = new Set([500, 502, 503, 504])
const mostTries = 3
// Average milliseconds to wait before the second try, and twice as long before the third.
const betweenTries = 200

// The longest validity of a link, in seconds: until the end of the next day.
const longestLink = lifetimes.photo / 1000
const caching = `private, max-age=${longestLink}, immutable`

/** Keeps files in a bucket through Amazon's S3 API. `now` is the clock for signing requests. */
export function bucketFiles(bucket: Bucket, now: () => Date): Files {
  const request = requester(bucket, now)
  const head = (key: string, options: RequestOptions) =>
    request('HEAD', key, { ...options, mayLack: true }).catch(async (error: unknown) => {
      // The answer to a HEAD has no body that could say why. A GET of the same is refused with one.
      if (error instanceof BucketRefusal && error.status < 500)
        await drain(await request('GET', key, { ...options, headers: { Range: 'bytes=0-0' } }))
      throw error
    })
  const remove = (key: string, options: RequestOptions) =>
    request('DELETE', key, options).then(drain, (error: unknown) => {
      if (!isAbsent(error)) throw error
    })
  return {
    async check() {
      try {
        await drain(
          await request('PUT', 'check', { content: new Uint8Array(), longest: longestCheck }),
        )
        await remove('check', { longest: longestCheck })
        // The key of no photo, since those are longer.
        await drain(await head(`${photoFolder}/none`, { longest: longestCheck }))
      } catch (cause) {
        const { message } = cause as Error
        throw new Error(`${message} ${bucketAdvice(cause)}`, { cause })
      }
    },
    async put(key, { content, type }, signal) {
      // The bucket answers browsers with these headers. It cannot send a Content-Security-Policy.
      const headers = {
        'Content-Type': type,
        'Content-Disposition': photoDisposition(key),
        'Cache-Control': caching,
      }
      await drain(await request('PUT', key, { headers, content, signal }))
    },
    async open(key, signal) {
      const answer = await head(key, { signal })
      await drain(answer)
      if (answer.statusCode === 404) return undefined
      const { 'content-length': size, 'last-modified': modified = 0 } = answer.headers
      return {
        size: Number(size),
        modified: new Date(modified),
        read: (range, signal) =>
          Readable.from(read(range && `bytes=${range.from}-${range.to}`, signal)),
      }

      async function* read(range: string | undefined, signal: AbortSignal | undefined) {
        const headers: Record<string, string> = range === undefined ? {} : { Range: range }
        const answer = await request('GET', key, { headers, longest: longestRead, signal })
        try {
          yield* answer
        } catch (error) {
          signal?.throwIfAborted()
          throw new BucketSilence(bucket, 'GET', error)
        }
      }
    },
    delete: (key, signal) => remove(key, { signal }),
    link: linker(bucket),
  }
}

/**
 * Returns whether the bucket has no such file. A missing bucket is a 404 too, but its files may come back.
 */
function isAbsent(error: unknown): boolean {
  return error instanceof BucketRefusal && error.code === 'NoSuchKey'
}

interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly content?: Uint8Array
  /** A 404 is an answer, not a refusal. For HEAD, whose answer has no body that could say what is missing. */
  readonly mayLack?: boolean
  readonly longest?: number
  readonly signal?: AbortSignal
}

type SendRequest = (
  method: string,
  key: string,
  options: RequestOptions,
) => Promise<IncomingMessage>

/** Sends requests. Throws the reason of `signal` once it aborts: that is no fault of the bucket. */
function requester(bucket: Bucket, now: () => Date): SendRequest {
  const repeat = repeater(bucket, now)
  return async (method, key, { longest = longestAsk, signal, ...options }) => {
    const combined = AbortSignal.any([AbortSignal.timeout(longest), ...(signal ? [signal] : [])])
    return repeat(method, key, { ...options, signal: combined }).catch((error: unknown) => {
      signal?.throwIfAborted()
      throw error
    })
  }
}

type Repeated = (
  method: string,
  key: string,
  options: Omit<RequestOptions, 'longest'> & { readonly signal: AbortSignal },
) => Promise<IncomingMessage>

/** Sends signed requests, with retries where the server asks for them. A refusal throws a BucketRefusal. */
function repeater(bucket: Bucket, now: () => Date): Repeated {
  const send = sender(bucket, now)
  return async (method, key, { mayLack, signal, ...options }) => {
    for (let tries = 1; ; tries++) {
      const answer = await send(method, key, { ...options, signal })
      const { statusCode: status = 0 } = answer
      if ((status >= 200 && status < 300) || (mayLack && status === 404)) return answer
      // The connection may break while the answer is read.
      const code = await codeOf(answer).catch(() => undefined)
      const refusal = new BucketRefusal(bucket, method, { status, code })
      if (tries === mostTries || !passing.has(status)) throw refusal
      await pause(2 * Math.random() * betweenTries * tries, undefined, { signal }).catch(() => {
        throw refusal
      })
    }
  }
}

type SendOnce = (
  method: string,
  key: string,
  options: Pick<RequestOptions, 'headers' | 'content'> & { readonly signal: AbortSignal },
) => Promise<IncomingMessage>

function sender(bucket: Bucket, now: () => Date): SendOnce {
  const address = bucketAddress(bucket)
  const send = address.startsWith('https:') ? https : http
  return async (method, key, { headers, content, signal }) => {
    const signed = await signer(bucket, `${address}/${key}`, {
      method,
      datetime: amzDate(now()),
      headers: {
        ...headers,
        'X-Amz-Content-Sha256': sha256(content ?? '').toString('hex'),
      },
    }).sign()
    return new Promise<IncomingMessage>((resolve, reject) => {
      const length = content && { 'Content-Length': content.length }
      const request = send(signed.url, {
        method,
        headers: { ...Object.fromEntries(signed.headers), ...length },
        // A kept-alive connection may be closed just as it is reused.
        agent: false,
        signal,
      })
      request.on('response', resolve).on('error', reject).end(content)
    }).catch((error: unknown) => {
      throw new BucketSilence(bucket, method, error)
    })
  }
}

/** Returns a function that makes links. They are the same all day, so each is signed once. */
function linker(bucket: Bucket): Files['link'] {
  const address = bucketAddressForBrowsers(bucket)
  const most = 2_000
  const links = new Map<string, Promise<string>>()
  let today = ''
  return (key, now) => {
    const datetime = `${amzDate(now).slice(0, 8)}T000000Z`
    if (datetime !== today || links.size >= most) links.clear()
    today = datetime
    const link = links.get(key) ?? signedLink(`${address}/${key}`, datetime)
    links.set(key, link)
    return link
  }

  async function signedLink(url: string, datetime: string): Promise<string> {
    const link = new URL(url)
    link.searchParams.set('X-Amz-Expires', String(longestLink))
    const signed = signer(bucket, link.href, { method: 'GET', datetime, signQuery: true })
    return (await signed.sign()).url.href
  }
}

function signer(
  { accessKeyId, secretAccessKey, region }: Bucket,
  url: string,
  signing: Partial<ConstructorParameters<typeof AwsV4Signer>[0]>,
): AwsV4Signer {
  return new AwsV4Signer({ url, accessKeyId, secretAccessKey, region, service: 's3', ...signing })
}

function amzDate(time: Date): string {
  return time.toISOString().replace(/[:-]|\.\d+/g, '')
}

/** Reads an answer to its end, to end the connection. Even if it breaks off, the request was carried out. */
async function drain(answer: IncomingMessage): Promise<void> {
  await answer
    .resume()
    .toArray()
    .catch(() => [])
}

const mostReason = 4096

/**
 * Reads the error code of a refusal, such as `AccessDenied`: nothing else that the server says may be shown.
 */
async function codeOf(answer: IncomingMessage): Promise<string | undefined> {
  let body = ''
  for await (const chunk of answer.setEncoding('utf8') as AsyncIterable<string>) {
    body += chunk
    if (body.length > mostReason) break
  }
  return /<Code>([A-Za-z]{1,60})<\/Code>/.exec(body)?.[1]
}
