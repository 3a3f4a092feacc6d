import { Refusal } from './answer.ts'
import type { Arrived } from './arrived.ts'

/** Returns the row ID in a field of the path. Throws a 404 if it is not one. */
export function rowIdIn({ params }: Arrived, field = 'id'): number {
  const rowId = readRowId(params[field] ?? '')
  if (rowId === undefined) throw new Refusal(404)
  return rowId
}

/** Parses an ID as the service writes it; undefined for any other text. */
export function readRowId(text: string): number | undefined {
  return /^[1-9][0-9]{0,14}$/.test(text) ? Number(text) : undefined
}
