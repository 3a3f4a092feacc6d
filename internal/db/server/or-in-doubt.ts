import { CommitInDoubt } from '../db.ts'
import type { Lendable } from './pool.ts'

/** Sends a write or a COMMIT. Throws `CommitInDoubt` if the connection is lost before the answer arrives. */
export async function orInDoubt<Result>(
  connection: Pick<Lendable, 'lost'>,
  ask: () => Promise<Result>,
): Promise<Result> {
  // On a connection that was lost before, nothing is sent, so there is no doubt.
  const wasLost = connection.lost.aborted
  try {
    return await ask()
  } catch (error) {
    throw wasLost || !connection.lost.aborted ? error : new CommitInDoubt(error)
  }
}
