import type { Tx } from '../db.ts'
import { isTaken } from './errors.ts'

/**
 * Writes a row whose value another may take at the same moment; undefined when they did. The error of PostgreSQL would
 * end the whole transaction: so it goes back to where it stood before.
 */
export async function unlessTaken<Result>(
  tx: Tx,
  write: () => Promise<Result>,
): Promise<Result | undefined> {
  await tx.run`SAVEPOINT unless_taken`
  try {
    const written = await write()
    await tx.run`RELEASE SAVEPOINT unless_taken`
    return written
  } catch (error) {
    if (!isTaken(error)) throw error
    await tx.run`ROLLBACK TO SAVEPOINT unless_taken`
    return undefined
  }
}
