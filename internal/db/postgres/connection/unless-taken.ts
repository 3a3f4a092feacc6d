import type { Tx } from '../../db.ts'
import { isTaken } from './errors.ts'

/**
 * Writes a row with a unique value that another transaction may take at the same moment; undefined if one did. Uses a
 * savepoint, since PostgreSQL's error would end the whole transaction.
 */
export async function unlessTaken<Result>(
  tx: Tx,
  write: () => Promise<Result>,
): Promise<Result | undefined> {
  await tx.run`SAVEPOINT unless_taken`
  try {
    const result = await write()
    await tx.run`RELEASE SAVEPOINT unless_taken`
    return result
  } catch (error) {
    if (!isTaken(error)) throw error
    await tx.run`ROLLBACK TO SAVEPOINT unless_taken`
    return undefined
  }
}
