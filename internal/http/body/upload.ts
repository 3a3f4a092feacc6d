import { gathered, mediaType, readForm } from './form-body.ts'
import { refuseCoded } from './form-limits.ts'
import { readParts } from './multipart.ts'
import type { Arrived } from '../arrived.ts'
import type { Fields } from './fields.ts'
import type { Taking } from '../node/read-body.ts'

/** A form that a file may come with. */
export interface Upload {
  readonly fields: Fields
  /** Empty when none came; `large` when there was more of it than was asked for. */
  readonly file: Uint8Array | 'large'
}

/**
 * What is read past of an upload (contract: Names). A second under the server's own `requestTimeout`, which has no page
 * that says what to do.
 */
const limits = { bytes: 32 * 1024 * 1024, milliseconds: 29_000 }

/**
 * Reads a form with a file in the field of this name. Of the file at most `most` bytes are held; what is beyond is
 * read and thrown away, so that the browser gets its answer.
 */
export async function readUpload(
  c: Arrived,
  { field, most }: { field: string; most: number },
): Promise<Upload> {
  const type = c.header('content-type') ?? ''
  if (mediaType(type) !== 'multipart/form-data')
    return { fields: await readForm(c), file: new Uint8Array() }
  const file = new HeldFile(field, most)
  const late = () => (file.held === 'large' ? 413 : 408)
  const sent = await readParts(type, (into) => c.incoming.pour(into, { ...limits, late }), file)
  refuseCoded(c)
  return { fields: gathered(sent), file: file.held }
}

/** Reads past an upload that nobody takes, so that the browser gets its answer. */
export async function readPast(c: Arrived): Promise<void> {
  await c.incoming.pour(nowhere, { ...limits, late: () => 408 })
}

const nowhere: Taking = async (chunks) => {
  for await (const _ of chunks);
}

/** Holds a file as it comes, and of one that is too long nothing more. */
class HeldFile {
  readonly field: string
  readonly #most: number
  #bytes: Buffer | undefined
  #length = 0

  constructor(field: string, most: number) {
    this.field = field
    this.#most = most
  }

  get held(): Upload['file'] {
    if (this.#length > this.#most) return 'large'
    return this.#bytes?.subarray(0, this.#length) ?? new Uint8Array()
  }

  take(chunk: Uint8Array): void {
    const from = this.#length
    this.#length = from + chunk.length
    if (this.#length > this.#most) return
    // Once for all of it: what has not come takes no memory yet, and putting pieces together would take it twice.
    this.#bytes ??= Buffer.allocUnsafeSlow(this.#most)
    this.#bytes.set(chunk, from)
  }
}
