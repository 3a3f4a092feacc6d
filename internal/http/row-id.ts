import { Refusal } from './answer.ts'
import type { Arrived } from './arrived.ts'

/** The ID of a row in the path. Refuses what is none: there is nothing at such a path. */
export function rowIdIn({ params: { id = '' } }: Arrived): number {
  const read = readRowId(id)
  if (read === undefined) throw new Refusal(404)
  return read
}

/** An ID as the service writes one; undefined for any other text. */
export function readRowId(text: string): number | undefined {
  return /^[1-9][0-9]{0,14}$/.test(text) ? Number(text) : undefined
}
