import type { Undone } from '../snapshot.ts'

interface Compared {
  /** Two tables of users, as a statement names them: the one that was there, and the one that takes its place. */
  readonly before: string
  readonly after: string
  /** The highest ID that the table `before` has given: no account in it had a higher one. */
  readonly lastId: number
}

/**
 * What is undone where one table of users takes the place of another. Only their columns `id`, `password_hash` and
 * `password_changes` are read.
 */
export async function undoneBetween(
  ask: <Row>(text: string) => Promise<readonly Row[]>,
  { before, after, lastId }: Compared,
): Promise<Undone> {
  const count = async (from: string) =>
    (await ask<{ number: number }>(`SELECT count(*) AS number FROM ${from}`))[0]?.number ?? 0
  const back = await ask<{ id: number }>(`
    SELECT a.id AS id FROM ${after} a LEFT JOIN ${before} b ON b.id = a.id
    WHERE b.id IS NULL AND a.id <= ${lastId} ORDER BY a.id`)
  const gone = await count(`
    ${before} b LEFT JOIN ${after} a ON a.id = b.id
    WHERE a.id IS NULL`)
  // A login may hash the same password anew: then the hash differs, and the count of changes does not.
  const passwords = await count(`
    ${before} b JOIN ${after} a ON a.id = b.id
    WHERE a.password_hash <> b.password_hash AND a.password_changes <> b.password_changes`)
  return { back: back.map(({ id }) => id), gone, passwords }
}
