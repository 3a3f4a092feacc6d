import { gathered, mediaType, readForm } from './form-body.ts'
import { refuseCoded } from './form-limits.ts'
import { readParts } from './multipart.ts'
import type { Arrived } from '../arrived.ts'
import type { Fields } from './fields.ts'
import type { BodyConsumer } from '../node/read-body.ts'

/** A form that may include a file. */
export interface Upload {
  readonly fields: Fields
  /** Returns and releases the file: empty if none came; `large` if it exceeded the limit. */
  handOver(this: void): Uint8Array | 'large'
}

/**
 * Limits of reading an upload (contract: Names): a second less than the server's `requestTimeout`, whose own
 * refusal has no page that says what to do.
 */
const limits = { bytes: 32 * 1024 * 1024, milliseconds: 29_000 }

/** Whether a form has the one media type that can include a file. */
export function mayHaveFile(c: Arrived): boolean {
  return mediaType(c.header('content-type') ?? '') === 'multipart/form-data'
}

/**
 * Reads a form with a file in this field. At most `most` bytes of the file are held; the rest is read and
 * discarded, so that the browser gets its answer.
 */
export async function readUpload(
  c: Arrived,
  { field, most }: { field: string; most: number },
): Promise<Upload> {
  if (!mayHaveFile(c)) return { fields: await readForm(c), handOver: () => new Uint8Array() }
  const type = c.header('content-type') ?? ''
  const file = new HeldFile(field, most)
  const late = () => (file.isLarge ? 413 : 408)
  const pairs = await readParts(type, (into) => c.incoming.pour(into, { ...limits, late }), file)
  refuseCoded(c)
  return { fields: gathered(pairs), handOver: () => file.handOver() }
}

/** Discards an upload that nobody uses, so that the browser gets its answer. */
export async function readPast(c: Arrived): Promise<void> {
  await c.incoming.pour(nowhere, { ...limits, late: () => 408 })
}

const nowhere: BodyConsumer = async (chunks) => {
  for await (const _ of chunks);
}

/** Holds a file as it arrives, and nothing of one that is too long. */
class HeldFile {
  readonly field: string
  readonly #most: number
  #bytes: Buffer | undefined
  #length = 0

  constructor(field: string, most: number) {
    this.field = field
    this.#most = most
  }

  get isLarge(): boolean {
    return this.#length > this.#most
  }

  handOver(): ReturnType<Upload['handOver']> {
    const bytes = this.#bytes
    this.#bytes = undefined
    if (this.isLarge) return 'large'
    return bytes?.subarray(0, this.#length) ?? new Uint8Array()
  }

  receive(chunk: Uint8Array): void {
    const start = this.#length
    this.#length = start + chunk.length
    if (this.isLarge) {
      this.#bytes = undefined
      return
    }
    // Allocated once at full size: untouched pages take no memory, and joining chunks would take twice as
    // much.
    this.#bytes ??= Buffer.allocUnsafeSlow(this.#most)
    this.#bytes.set(chunk, start)
  }
}
