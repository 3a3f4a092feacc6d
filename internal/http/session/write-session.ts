import { CommitInDoubt, type Database, type Tx } from '../../db/db.ts'

interface Write<Result> {
  readonly work: (tx: Tx) => Promise<Result>
  /** Whether the database has what `work` wrote. Without it, what is unknown counts as written. */
  readonly isWritten?: (tx: Tx, result: Result) => Promise<boolean>
}

/**
 * Runs `work` in a transaction. If it is unknown whether that was committed, looks in another transaction, and throws
 * `CommitInDoubt` unless the database has what was written.
 */
export async function writeSession<Result>(
  db: Database,
  { work, isWritten }: Write<Result>,
): Promise<Result> {
  let done: { readonly result: Result } | undefined
  try {
    return await db.transaction(async (tx) => {
      const result = await work(tx)
      done = { result }
      return result
    })
  } catch (error) {
    if (!done || !(error instanceof CommitInDoubt)) throw error
    const { result } = done
    if (!isWritten) return result
    if (await db.transaction((tx) => isWritten(tx, result)).catch(() => false)) return result
    throw error
  }
}
