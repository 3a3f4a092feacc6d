import type { IncomingMessage } from 'node:http'
import { Refusal } from './answer.ts'

const closing = { Connection: 'close' }

/**
 * Reads a request's whole body. One of more than `limit` bytes is refused as soon as that shows, and the connection
 * closed. The time it may take is the server's `requestTimeout`.
 */
export async function readBody(request: IncomingMessage, limit: number): Promise<Uint8Array> {
  const said = Number(request.headers['content-length'] ?? 0)
  if (said > limit) throw new Refusal(413, closing)
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > limit) throw new Refusal(413, closing)
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof Refusal) throw error
    // The browser went away in the middle; nobody reads the answer, but the log shows it.
    throw new Refusal(400, closing)
  }
  return Buffer.concat(chunks, length)
}
