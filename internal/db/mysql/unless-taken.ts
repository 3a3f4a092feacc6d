import type { Wrote } from './connection.ts'
import { isTaken } from './errors.ts'

/** Writes a row whose value another may have; undefined when they have (error 1062), and the transaction goes on. */
export async function unlessTaken(write: Promise<Wrote | undefined>): Promise<Wrote | undefined> {
  try {
    return await write
  } catch (error) {
    if (isTaken(error)) return undefined
    throw error
  }
}
