import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import type { Places } from '../../../internal/base/program/own-file.ts'

// Bytes: enough for a dozen parts.
const reservedSize = 1024

/** A placeholder of the final length: the places are known only once the executable is built, and must not move. */
export const placesPlaceholder = padPlaces({ size: 0, parts: {} })

/** Locates these parts in the executable, and overwrites the placeholder in it. */
export function writePlaces(executable: string, parts: ReadonlyMap<string, Uint8Array>): void {
  const built = readFileSync(executable)
  const entries = [...parts].map(([name, content]) => {
    const place: Places['parts'][string] = [built.indexOf(content), content.length]
    return [name, place] as const
  })
  // A part that is not contiguous there is left out, and read from the mapped executable instead.
  const places = Object.fromEntries(entries.filter(([, [offset]]) => offset >= 0))
  const file = openSync(executable, 'r+')
  try {
    const content = padPlaces({ size: built.length, parts: places })
    writeSync(file, content, built.indexOf(placesPlaceholder))
  } finally {
    closeSync(file)
  }
}

function padPlaces(places: Places): string {
  const text = JSON.stringify(places)
  if (text.length > reservedSize)
    throw new Error(`The places take ${text.length} bytes of ${reservedSize}: ${text}`)
  return text.padEnd(reservedSize)
}
