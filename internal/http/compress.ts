import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Answer } from './answer.ts'
import type { Context } from './context.ts'

// Below this the answer fits one packet either way.
const fromBytes = 1200

/** The answer as the browser takes it smallest. Files of the pages come compressed already. */
export function compressed(c: Context, answer: Answer): Answer {
  if (typeof answer.body !== 'string' || answer.body.length < fromBytes) return answer
  const headers = { ...answer.headers, Vary: varied(answer.headers['Vary']) }
  if (accepts(c, 'br')) {
    // Of the eleven levels the fourth is the last that costs less than drawing the page does.
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: 4,
      [constants.BROTLI_PARAM_SIZE_HINT]: answer.body.length,
    }
    return encoded(answer, headers, {
      encoding: 'br',
      body: brotliCompressSync(answer.body, { params }),
    })
  }
  if (accepts(c, 'gzip')) {
    return encoded(answer, headers, { encoding: 'gzip', body: gzipSync(answer.body, { level: 5 }) })
  }
  return { ...answer, headers }
}

function encoded(
  answer: Answer,
  headers: Record<string, string>,
  { encoding, body }: { encoding: string; body: Uint8Array },
): Answer {
  return { ...answer, headers: { ...headers, 'Content-Encoding': encoding }, body }
}

function varied(vary: string | undefined): string {
  return vary ? `${vary}, Accept-Encoding` : 'Accept-Encoding'
}

/** Whether the browser takes a content coding: it names it, and not with `q=0` (RFC 9110, 12.5.3). */
export function accepts(c: Context, coding: 'br' | 'gzip'): boolean {
  for (const part of (c.header('accept-encoding') ?? '').split(',')) {
    const [name, ...parameters] = part
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/)
    if (name === coding) return !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
  }
  return false
}
