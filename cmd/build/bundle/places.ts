import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import type { Places } from '../../../internal/base/program/own-file.ts'

// Bytes: enough for a dozen parts.
const room = 1024

/** A placeholder of the final length: the places are known only once the executable is built, and must not move. */
export const unknownPlaces = padded({ size: 0, parts: {} })

/** Locates these parts in the executable, and overwrites the placeholder in it. */
export function writePlaces(executable: string, parts: ReadonlyMap<string, Uint8Array>): void {
  const built = readFileSync(executable)
  const located = [...parts].map(([name, content]) => {
    const place: Places['parts'][string] = [built.indexOf(content), content.length]
    return [name, place] as const
  })
  // A part that is not contiguous there is left out, and read from the mapped executable instead.
  const places = Object.fromEntries(located.filter(([, [offset]]) => offset >= 0))
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
