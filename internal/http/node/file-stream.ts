import { pipeline } from 'node:stream/promises'
import type { Readable } from 'node:stream'
import { errorCode } from '../../base/error-code.ts'
import type { Stream } from '../answer.ts'

interface Sending {
  /** Opens what is sent. */
  readonly read: () => Readable
  /** Bytes, as the headers told. */
  readonly length: number
  /** Milliseconds until a browser that has not read all of it is cut off, and the file closed. */
  readonly longest: number
  /** Told of a failure that is not the browser's. */
  readonly failed: (error: unknown) => void
}

/** A body that is read from a file as the browser takes it, never whole. */
export function fileStream({ read, length, longest, failed }: Sending): Stream {
  const lengthChecked = (source: AsyncIterable<Uint8Array>) => checkLength(source, length)
  return (out) => {
    pipeline(read(), lengthChecked, out, { signal: AbortSignal.timeout(longest) }).catch(
      (error: unknown) => {
        // The headers said its length: only a cut connection tells the browser that the rest does not come.
        out.destroy()
        if (!isBrowsers(error)) failed(error)
      },
    )
  }
}

/** What is read; throws if it is not as long as the headers said. */
async function* checkLength(source: AsyncIterable<Uint8Array>, length: number) {
  let left = length
  for await (const chunk of source) {
    left -= chunk.length
    if (left < 0) break
    yield chunk
  }
  if (left !== 0) throw new Error('The file is not as long as it was.')
}

/** Whether it was the browser that went away, or was too slow. */
function isBrowsers(error: unknown): boolean {
  const code = errorCode(error)
  return code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ABORT_ERR'
}
