import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { Refusal } from '../answer.ts'
import { malformed, mostBytes, mostFields, tooMany } from './form-limits.ts'
import type { Taking } from '../node/read-body.ts'

// Bytes per write to the parser: it parses all of them before too many parts can be refused, and one chunk
// may hold thousands of parts.
const mostAtOnce = 4096

/** Receives a file as it arrives. */
export interface FileTaker {
  /** The field of the file; its value is a file even without a file name. */
  readonly field: string
  take(chunk: Uint8Array): void
}

/**
 * Reads the parts of a multipart/form-data from `pour`: returns the fields, and passes the requested file to
 * `taker`. Other files are skipped.
 */
export async function readParts(
  type: string,
  pour: (into: Taking) => Promise<void>,
  taker?: FileTaker,
): Promise<[string, string][]> {
  const sent: [string, string][] = []
  let fault: unknown
  // Recorded instead of thrown: an exception in the parser's callback would crash the process.
  const parser = parserOf(type, taker, (error) => (fault ??= error))
  let bytes = 0
  // Despite its type, a part's name may be missing; nothing reads such a field.
  parser.on('field', (name: string | undefined, value, _nameCut, isCut) => {
    sent.push([name ?? '', value])
    bytes += Buffer.byteLength(name ?? '') + Buffer.byteLength(value)
    if (isCut || bytes > mostBytes) fault ??= new Refusal(413, { Connection: 'close' })
    else if (sent.length > mostFields) fault ??= tooMany()
  })
  parser.on('partsLimit', () => (fault ??= tooMany()))
  parser.on('error', () => (fault ??= unreadable()))
  const taken = async (step: (done: () => void) => void) => {
    const isTaken = await inOneTurn(step).catch(() => false)
    if (fault) throw fault
    if (!isTaken) throw unreadable()
  }
  await pour(async (chunks) => {
    for await (const chunk of chunks)
      for (let at = 0; at < chunk.length; at += mostAtOnce)
        await taken((done) => parser.write(chunk.subarray(at, at + mostAtOnce), done))
    await taken((done) => parser.once('finish', done).end())
  })
  return sent
}

function parserOf(
  type: string,
  taker: FileTaker | undefined,
  failed: (error: unknown) => void,
): BusboyInstance {
  const parser = makeParser(type, taker)
  let isTaken = false
  return parser.on('file', (name, stream) => {
    // Only the first of several files in the field: their chunks may be interleaved.
    const isAsked = !isTaken && name === taker?.field
    isTaken ||= isAsked
    stream.on('data', (chunk: Uint8Array) => {
      try {
        if (isAsked) taker?.take(chunk)
      } catch (error) {
        failed(error)
      }
    })
    // A truncated file emits its own error: without a listener, it would crash the process.
    stream.on('error', () => {})
  })
}

function makeParser(type: string, taker: FileTaker | undefined): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': type },
      limits: { parts: mostFields + 1, fieldSize: mostBytes, headerSize: 16 * 1024 },
      isPartAFile: (name: string | undefined, type: string | undefined, file: string | undefined) =>
        file !== undefined || type === 'application/octet-stream' || name === taker?.field,
    })
  } catch {
    throw unreadable()
  }
}

/**
 * Whether a step of the parser completes in this turn of the event loop. The parser waits for nothing
 * external, so a step that does not complete by then never will, as when the form ends in the middle of a
 * chunk.
 */
function inOneTurn(step: (done: () => void) => void): Promise<boolean> {
  return new Promise((resolve) => {
    const late = setImmediate(() => resolve(false))
    step(() => {
      clearImmediate(late)
      resolve(true)
    })
  })
}

function unreadable(): Refusal {
  return malformed('The form cannot be read.')
}
