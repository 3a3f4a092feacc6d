import { brotliCompressSync, gzipSync } from 'node:zlib'
import { brotliOf } from '../../base/documents/nonce-exchanged.ts'
import { withoutSpace } from '../../base/text/optional-space.ts'
import type { Answer } from '../answer.ts'
import type { Arrived } from '../arrived.ts'

// A smaller answer fits one packet anyway.
const fromBytes = 1200

// The most characters and codings read of an Accept-Encoding; browsers send about 20 and 4.
const longest = 1000
const most = 20

/** Compresses an answer with the best encoding that the browser accepts. Assets are already compressed. */
export function compress(c: Arrived, answer: Answer): Answer {
  if (typeof answer.body !== 'string' || answer.body.length < fromBytes) return answer
  if (c.tellsSecret) return answer
  if (accepts(c, 'br')) {
    // A page fits in one small chunk.
    const options = { params: brotliOf(answer.body.length), chunkSize: 4096 }
    return asBrotli(answer, brotliCompressSync(answer.body, options))
  }
  if (accepts(c, 'gzip')) {
    return withEncoding(answer, 'gzip', gzipSync(answer.body, { level: 5 }))
  }
  return { ...answer, headers: { ...answer.headers, Vary: varyByEncoding(answer.headers['Vary']) } }
}

/** Returns the answer with its body in brotli, for a browser that accepts it. */
export function asBrotli(answer: Omit<Answer, 'body'>, body: Uint8Array): Answer {
  return withEncoding(answer, 'br', body)
}

function withEncoding(answer: Omit<Answer, 'body'>, encoding: string, body: Uint8Array): Answer {
  const Vary = varyByEncoding(answer.headers['Vary'])
  return { ...answer, headers: { ...answer.headers, Vary, 'Content-Encoding': encoding }, body }
}

function varyByEncoding(vary: string | undefined): string {
  return vary ? `${vary}, Accept-Encoding` : 'Accept-Encoding'
}

/** Whether the browser accepts a content coding: it is listed, and not with `q=0` (RFC 9110, 12.5.3). */
export function accepts(c: Arrived, coding: 'br' | 'gzip'): boolean {
  for (const part of (c.header('accept-encoding') ?? '').slice(0, longest).split(',', most)) {
    // Trimmed part by part: a regex that matches the spaces takes quadratic time on a header full of them.
    const [name, ...parameters] = part.split(';').map((word) => withoutSpace(word).toLowerCase())
    if (name === coding) return !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
  }
  return false
}
