import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import type { Places } from '../../internal/base/program/own-file.ts'

// Bytes: a dozen parts of such names.
const room = 1024

/** What is built in their place: they are known once the executable is put together, and must not make it longer. */
export const unknownPlaces = padded({ size: 0, parts: {} })

/** Writes into the executable where in it these parts lie, whole as they are. */
export function writePlaces(executable: string, parts: ReadonlyMap<string, Uint8Array>): void {
  const built = readFileSync(executable)
  const found = [...parts].map(([name, content]) => {
    const place: Places['parts'][string] = [built.indexOf(content), content.length]
    return [name, place] as const
  })
  // Of what is kept otherwise nothing is said, and it is read as it is mapped.
  const places = Object.fromEntries(found.filter(([, [offset]]) => offset >= 0))
  const file = openSync(executable, 'r+')
  try {
    const content = padded({ size: built.length, parts: places })
    writeSync(file, content, built.indexOf(unknownPlaces))
  } finally {
    closeSync(file)
  }
}

function padded(places: Places): string {
  const text = JSON.stringify(places)
  if (text.length > room)
    throw new Error(`The places take ${text.length} bytes of ${room}: ${text}`)
  return text.padEnd(room)
}
