import type { Wrote } from '../connection.ts'
import { isTaken } from './errors.ts'

/** Waits for the write of a row with a unique value; undefined if another row has it. The transaction goes on. */
export async function unlessTaken(write: Promise<Wrote | undefined>): Promise<Wrote | undefined> {
  try {
    return await write
  } catch (error) {
    if (isTaken(error)) return undefined
    throw error
  }
}
