import { pipeline } from 'node:stream/promises'
import type { IncomingMessage } from 'node:http'
import { errorCode } from '../../base/error-code.ts'
import { Refusal } from '../answer.ts'

const closing = { Connection: 'close' }

/**
 * Reads a request's whole body. One of more than `limit` bytes, or cut into far too many chunks, is refused as soon as that
 * shows, and the connection closed. The time it may take is the server's `requestTimeout`.
 */
export async function readBody(request: IncomingMessage, limit: number): Promise<Uint8Array> {
  refuseSaid(request, limit)
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

/** What a body that is handed on as it comes may have: bytes, and milliseconds to arrive in. */
export interface PourLimits {
  readonly bytes: number
  readonly milliseconds: number
  /** The status that refuses a body which takes longer. */
  late(this: void): number
}

/** Takes a body as it comes, and settles once it has taken all of it. It throws a Refusal of what it cannot take. */
export type Taking = (chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) => Promise<void>

/**
 * Hands a request's body on as it comes. One that is longer, or takes longer, than the limits is refused, and the
 * connection closed, whatever `into` does.
 */
export async function pourBody(
  request: IncomingMessage,
  into: Taking,
  { bytes, milliseconds, late: lateStatus }: PourLimits,
): Promise<void> {
  refuseSaid(request, bytes)
  const late = Promise.withResolvers<never>()
  const end = new AbortController()
  const timer = setTimeout(() => {
    late.reject(new Refusal(lateStatus(), closing))
    end.abort()
  }, milliseconds)
  const counting = (source: AsyncIterable<Buffer>) => counted(source, bytes)
  try {
    await Promise.race([pipeline(request, counting, into, { signal: end.signal }), late.promise])
  } catch (error) {
    throw asRefusal(error)
  } finally {
    clearTimeout(timer)
  }
}

function refuseSaid({ headers }: IncomingMessage, limit: number): void {
  if (Number(headers['content-length'] ?? 0) > limit) throw new Refusal(413, closing)
}

// Each chunk costs a turn, and memory, whatever is in it. A phone on a bad line sends some hundred bytes at once.
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

/** The errors of a request that is cut off in the middle; any other error is the fault of whoever takes the body. */
const cutOff = /^(?:ECONNRESET|EPIPE|ETIMEDOUT|ABORT_ERR|ERR_STREAM_PREMATURE_CLOSE|HPE_\w+)$/

function asRefusal(error: unknown): unknown {
  // The browser went away; nobody reads the answer, but the log shows it.
  return cutOff.test(errorCode(error)) ? new Refusal(400, closing) : error
}
