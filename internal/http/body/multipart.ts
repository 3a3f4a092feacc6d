import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { Refusal } from '../answer.ts'
import { malformed, mostBytes, mostFields, tooMany } from './form-limits.ts'
import type { BodyConsumer } from '../node/read-body.ts'

// Bytes per write to the parser: it parses all of them before too many parts can be refused, and one chunk
// may hold thousands of parts.
const mostAtOnce = 4096

/** Receives a file as it arrives. */
export interface FileReceiver {
  /** The field of the file; its value is a file even without a file name. */
  readonly field: string
  receive(chunk: Uint8Array): void
}

/**
 * Reads the parts of a multipart/form-data from `pour`: returns the fields, and passes the requested file to
 * `receiver`. Other files are skipped.
 */
export async function readParts(
  type: string,
  pour: (consume: BodyConsumer) => Promise<void>,
  receiver?: FileReceiver,
): Promise<[string, string][]> {
  const pairs: [string, string][] = []
  let fault: unknown
  // Recorded instead of thrown: an exception in the parser's callback would crash the process.
  const parser = parserOf(type, receiver, (error) => (fault ??= error))
  let bytes = 0
  // Despite its type, a part's name may be missing; nothing reads such a field.
  parser.on('field', (name: string | undefined, value, _nameCut, isCut) => {
    pairs.push([name ?? '', value])
    bytes += Buffer.byteLength(name ?? '') + Buffer.byteLength(value)
    if (isCut || bytes > mostBytes) fault ??= new Refusal(413, { Connection: 'close' })
    else if (pairs.length > mostFields) fault ??= tooMany()
  })
  parser.on('partsLimit', () => (fault ??= tooMany()))
  parser.on('error', () => (fault ??= unreadable()))
  const runStep = async (step: (done: () => void) => void) => {
    const isDone = await completesInTurn(step).catch(() => false)
    if (fault) throw fault
    if (!isDone) throw unreadable()
  }
  await pour(async (chunks) => {
    for await (const chunk of chunks)
      for (let at = 0; at < chunk.length; at += mostAtOnce)
        await runStep((done) => parser.write(chunk.subarray(at, at + mostAtOnce), done))
    await runStep((done) => parser.once('finish', done).end())
  })
  return pairs
}

function parserOf(
  type: string,
  receiver: FileReceiver | undefined,
  failed: (error: unknown) => void,
): BusboyInstance {
  const parser = makeParser(type, receiver)
  let isTaken = false
  return parser.on('file', (name, stream) => {
    // Only the first of several files in the field: their chunks may be interleaved.
    const isAsked = !isTaken && name === receiver?.field
    isTaken ||= isAsked
    stream.on('data', (chunk: Uint8Array) => {
      try {
        if (isAsked) receiver?.receive(chunk)
      } catch (error) {
        failed(error)
      }
    })
    // A truncated file emits its own error: without a listener, it would crash the process.
    stream.on('error', () => {})
  })
}

function makeParser(type: string, receiver: FileReceiver | undefined): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': type },
      limits: { parts: mostFields + 1, fieldSize: mostBytes, headerSize: 16 * 1024 },
      isPartAFile: (name: string | undefined, type: string | undefined, file: string | undefined) =>
        file !== undefined || type === 'application/octet-stream' || name === receiver?.field,
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
function completesInTurn(step: (done: () => void) => void): Promise<boolean> {
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
