import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import {
  createTarDecoder,
  createTarPacker,
  type ParsedTarEntry,
  type TarPackController,
} from 'modern-tar'

/** A file as it goes into an archive or comes out of it. */
export interface Entry {
  /** A path with slashes. */
  readonly name: string
  /** In bytes; when an archive is read, as its header states. */
  readonly size: number
  readonly content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>
}

/** Writes a tar archive that only its owner may read; resolves once on disk. If it fails, a part remains. */
export async function writeArchive(
  path: string,
  entries: AsyncIterable<Entry>,
  signal: AbortSignal,
): Promise<void> {
  const { readable, controller } = createTarPacker()
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })
  const failures: unknown[] = []
  const fail = (error: unknown) => void failures.push(error)
  // A failure of either ends the other; the first error is thrown.
  await Promise.all([
    pipeline(readable as AsyncIterable<Uint8Array>, file, { signal }).catch(fail),
    pack(controller, entries).catch((error: unknown) => {
      fail(error)
      controller.error(error)
    }),
  ])
  signal.throwIfAborted()
  if (failures.length > 0) throw failures[0]
}

async function pack(controller: TarPackController, entries: AsyncIterable<Entry>): Promise<void> {
  for await (const { name, size, content } of entries) {
    const writer = controller.add({ name, size, mode: 0o600, type: 'file' }).getWriter()
    for await (const chunk of content) await writer.write(chunk)
    await writer.close()
  }
  controller.finalize()
}

/**
 * Reads the files of a tar archive, in their order. Each content must be read to its end before the next file
 * is requested. Throws if the archive is truncated, damaged, or holds anything but files.
 */
export async function* readArchive(path: string, signal: AbortSignal): AsyncGenerator<Entry> {
  const source = createReadStream(path, { signal, highWaterMark: 256 * 1024 })
  const { readable, writable } = createTarDecoder({ strict: true })
  const fed = feed(writable, source)
  try {
    for await (const { header, body } of readable as AsyncIterable<ParsedTarEntry>) {
      if (header.type !== 'file') throw new Error(`it holds a ${header.type}, ${header.name}`)
      yield { name: header.name, size: header.size, content: body as AsyncIterable<Uint8Array> }
    }
  } finally {
    source.destroy()
    await fed
  }
}

/** Feeds an archive to its decoder. Errors are thrown to whoever reads from the decoder, not here. */
async function feed(
  writable: WritableStream<Uint8Array>,
  source: AsyncIterable<Uint8Array>,
): Promise<void> {
  const writer = writable.getWriter()
  try {
    for await (const chunk of source) await writer.write(chunk)
    await writer.close()
  } catch (error) {
    await writer.abort(error).catch(() => {})
  }
}
