import { CommitInDoubt } from '../db.ts'
import type { Lendable } from './pool.ts'

/** Asks to keep a change. Throws `CommitInDoubt` where the connection is lost before the answer has come. */
export async function orInDoubt<Result>(
  connection: Pick<Lendable, 'lost'>,
  ask: () => Promise<Result>,
): Promise<Result> {
  // Then nothing is sent.
  const wasLost = connection.lost.aborted
  try {
    return await ask()
  } catch (error) {
    throw wasLost || !connection.lost.aborted ? error : new CommitInDoubt(error)
  }
}
