import { pipeline } from 'node:stream/promises'
import type { IncomingMessage } from 'node:http'
import type { Writable } from 'node:stream'
import { Refusal } from './answer.ts'

const closing = { Connection: 'close' }

/**
 * Reads a request's whole body. One of more than `limit` bytes is refused as soon as that shows, and the connection
 * closed. The time it may take is the server's `requestTimeout`.
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

/** What a body may have that is not held: bytes, and milliseconds to arrive in. */
export interface PourLimits {
  readonly bytes: number
  readonly milliseconds: number
}

/**
 * Hands a request's body on as it comes. One that is longer, or takes longer, than the limits is refused, and the
 * connection closed. What `into` fails with is thrown as it is.
 */
export async function pourBody(
  request: IncomingMessage,
  into: Writable,
  { bytes, milliseconds }: PourLimits,
): Promise<void> {
  refuseSaid(request, bytes)
  const late = AbortSignal.timeout(milliseconds)
  const counting = (source: AsyncIterable<Buffer>) => counted(source, bytes)
  try {
    await pipeline(request, counting, into, { signal: late })
  } catch (error) {
    if (late.aborted) throw new Refusal(413, closing)
    throw into.errored === error ? error : asRefusal(error)
  }
}

function refuseSaid({ headers }: IncomingMessage, limit: number): void {
  if (Number(headers['content-length'] ?? 0) > limit) throw new Refusal(413, closing)
}

async function* counted(source: AsyncIterable<Buffer>, limit: number): AsyncGenerator<Buffer> {
  let length = 0
  for await (const chunk of source) {
    length += chunk.length
    if (length > limit) throw new Refusal(413, closing)
    yield chunk
  }
}

function asRefusal(error: unknown): Refusal {
  // The browser went away in the middle; nobody reads the answer, but the log shows it.
  return error instanceof Refusal ? error : new Refusal(400, closing)
}
