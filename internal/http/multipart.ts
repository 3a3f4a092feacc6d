import type { Writable } from 'node:stream'
import { Busboy } from '@fastify/busboy'
import { Refusal } from './answer.ts'
import { malformed, mostBytes, mostFields, tooMany } from './form-limits.ts'

/** Takes a file as it comes. */
export interface FileTaker {
  /** The field it comes in; what comes there is a file, whether or not it has a name. */
  readonly field: string
  take(chunk: Uint8Array): void
}

/**
 * Reads the parts of a multipart/form-data that `pour` writes to where it is told: returns the fields, and hands the
 * file that is asked for to `taker`. Any other is read past.
 */
export async function readParts(
  type: string,
  pour: (parser: Writable) => Promise<void>,
  taker?: FileTaker,
): Promise<[string, string][]> {
  const sent: [string, string][] = []
  let bytes = 0
  try {
    const parser = new Busboy({
      headers: { 'content-type': type },
      limits: { parts: mostFields + 1, fieldSize: mostBytes, headerSize: 16 * 1024 },
      isPartAFile: (name: string | undefined, type: string | undefined, file: string | undefined) =>
        file !== undefined || type === 'application/octet-stream' || name === taker?.field,
    })
    // A part may lack the name that the types promise: nothing asks for it.
    parser.on('field', (name: string | undefined, value, _nameCut, isCut) => {
      sent.push([name ?? '', value])
      bytes += Buffer.byteLength(name ?? '') + Buffer.byteLength(value)
      if (isCut || bytes > mostBytes) parser.destroy(new Refusal(413, { Connection: 'close' }))
      else if (sent.length > mostFields) parser.destroy(tooMany())
    })
    parser.on('partsLimit', () => parser.destroy(tooMany()))
    let isTaken = false
    parser.on('file', (name, stream) => {
      // The first of several, since they may come mixed.
      const isAsked = !isTaken && name === taker?.field
      isTaken ||= isAsked
      stream.on('data', (chunk: Uint8Array) => isAsked && taker?.take(chunk))
      // One that is cut off says so itself too, and unheard that would end the process.
      stream.on('error', () => {})
    })
    await pour(parser)
  } catch (error) {
    throw error instanceof Refusal ? error : malformed('The form cannot be read.')
  }
  return sent
}
