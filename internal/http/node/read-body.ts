import { pipeline } from 'node:stream/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { errorCode } from '../../base/error-code.ts'
import { HungUp, Refusal } from '../answer.ts'

const closing = { Connection: 'close' }

/** Requests with `Expect: 100-continue` whose body nobody has begun to read, each with its response. */
const expecting = new WeakMap<IncomingMessage, ServerResponse>()

/**
 * Sends the 100 Continue that a request expects only once its body is read: one that is refused by its length, or that
 * nobody reads, gets its answer at once (RFC 9110, 10.1.1).
 */
export function continueOnceRead(request: IncomingMessage, response: ServerResponse): void {
  expecting.set(request, response)
}

/** Whether the sender of the body still waits for a 100 Continue. */
export function expectsContinue(request: IncomingMessage): boolean {
  return expecting.has(request)
}

function sendContinue(request: IncomingMessage): void {
  expecting.get(request)?.writeContinue()
  expecting.delete(request)
}

/**
 * Reads a request's whole body. One of more than `limit` bytes, or in far too many chunks, is refused as soon
 * as that is known, and the connection closed. Its time is limited by the server's `requestTimeout`.
 */
export async function readBody(request: IncomingMessage, limit: number): Promise<Uint8Array> {
  refuseLongLength(request, limit)
  sendContinue(request)
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of counted(request, limit)) {
      length += chunk.length
      chunks.push(chunk)
    }
  } catch (error) {
    throw asRefusal(error)
  }
  return Buffer.concat(chunks, length)
}

/** Limits of a streamed body: bytes, and milliseconds to arrive in. */
export interface PourLimits {
  readonly bytes: number
  readonly milliseconds: number
  /** Returns the status for a body that takes longer. */
  late(this: void): number
}

/** Consumes a streamed body, and settles once it is consumed. Throws a Refusal of what it cannot accept. */
export type BodyConsumer = (
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
) => Promise<void>

/**
 * Streams a request's body into `consume`. One that exceeds the limits is refused, and the connection closed,
 * whatever `consume` does.
 */
export async function pourBody(
  request: IncomingMessage,
  consume: BodyConsumer,
  { bytes, milliseconds, late: lateStatus }: PourLimits,
): Promise<void> {
  refuseLongLength(request, bytes)
  sendContinue(request)
  const late = Promise.withResolvers<never>()
  const end = new AbortController()
  const timer = setTimeout(() => {
    late.reject(new Refusal(lateStatus(), closing))
    end.abort()
  }, milliseconds)
  const counting = (source: AsyncIterable<Buffer>) => counted(source, bytes)
  try {
    await Promise.race([pipeline(request, counting, consume, { signal: end.signal }), late.promise])
  } catch (error) {
    throw asRefusal(error)
  } finally {
    clearTimeout(timer)
  }
}

function refuseLongLength({ headers }: IncomingMessage, limit: number): void {
  if (Number(headers['content-length'] ?? 0) > limit) throw new Refusal(413, closing)
}

// Every chunk costs a turn and memory. A phone on a bad line sends some hundred bytes in each.
const fewChunks = 1024
const bytesPerChunk = 512

async function* counted(source: AsyncIterable<Buffer>, limit: number): AsyncGenerator<Buffer> {
  let length = 0
  let count = 0
  for await (const chunk of source) {
    length += chunk.length
    count++
    if (length > limit || count > fewChunks + length / bytesPerChunk)
      throw new Refusal(413, closing)
    yield chunk
  }
}

/** Error codes of a request cut off midway; any other error is the fault of the body's consumer. */
const cutOff = /^(?:ECONNRESET|EPIPE|ETIMEDOUT|ABORT_ERR|ERR_STREAM_PREMATURE_CLOSE|HPE_\w+)$/

function asRefusal(error: unknown): unknown {
  return cutOff.test(errorCode(error)) ? new HungUp() : error
}
