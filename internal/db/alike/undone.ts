import type { Undone } from '../snapshot.ts'

interface Compared {
  /** Two tables of users, as they stand in a statement: the one that was there, and the one that takes its place. */
  readonly before: string
  readonly after: string
  /** The highest ID that the former has given: a higher one it never had. */
  readonly lastId: number
}

/** What is undone by a table of users in the place of another, of which it needs no more than three columns. */
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
  // A password that was hashed anew at a login is the same.
  const passwords = await count(`
    ${before} b JOIN ${after} a ON a.id = b.id
    WHERE a.password_hash <> b.password_hash AND a.password_changes <> b.password_changes`)
  return { back: back.map(({ id }) => id), gone, passwords }
}
