import { pipeline } from 'node:stream/promises'
import type { Readable } from 'node:stream'
import { errorCode } from '../../base/error-code.ts'
import type { Stream } from '../answer.ts'

interface FileStreamOptions {
  /** Opens the source. */
  readonly open: () => Readable
  /** Bytes, as in Content-Length. */
  readonly length: number
  /** Milliseconds until a slow browser is cut off and the file closed. */
  readonly longest: number
  /** Called with an error that the browser did not cause. */
  readonly failed: (error: unknown) => void
}

/** Streams a file as fast as the browser reads it, never loading it whole. */
export function fileStream({ open, length, longest, failed }: FileStreamOptions): Stream {
  const lengthChecked = (source: AsyncIterable<Uint8Array>) => checkLength(source, length)
  return (out) => {
    pipeline(open(), lengthChecked, out, { signal: AbortSignal.timeout(longest) }).catch(
      (error: unknown) => {
        // Content-Length was sent: only a cut connection tells the browser that the rest will not come.
        out.destroy()
        if (!isBrowsers(error)) failed(error)
      },
    )
  }
}

/** Passes the source through; throws if its length is not the one in the headers. */
async function* checkLength(source: AsyncIterable<Uint8Array>, length: number) {
  let remaining = length
  for await (const chunk of source) {
    remaining -= chunk.length
    if (remaining < 0) break
    yield chunk
  }
  if (remaining !== 0) throw new Error('The file is not as long as it was.')
}

/** Whether the browser went away, or was too slow. */
function isBrowsers(error: unknown): boolean {
  const code = errorCode(error)
  return code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ABORT_ERR'
}
