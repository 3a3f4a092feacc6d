import type { Undone } from '../snapshot.ts'

interface UserTables {
  /** Two tables of users, as SQL names them: the old one and the one replacing it. */
  readonly before: string
  readonly after: string
  /** The highest ID that the table `before` ever assigned. */
  readonly lastId: number
}

/**
 * Counts what is undone when one table of users replaces another. Reads only their columns `id`, `password_hash` and
 * `password_changes`.
 */
export async function undoneBetween(
  query: <Row>(text: string) => Promise<readonly Row[]>,
  { before, after, lastId }: UserTables,
): Promise<Undone> {
  const count = async (from: string) =>
    (await query<{ number: number }>(`SELECT count(*) AS number FROM ${from}`))[0]?.number ?? 0
  const back = await query<{ id: number }>(`
    SELECT a.id AS id FROM ${after} a LEFT JOIN ${before} b ON b.id = a.id
    WHERE b.id IS NULL AND a.id <= ${lastId} ORDER BY a.id`)
  const lost = await count(`
    ${before} b LEFT JOIN ${after} a ON a.id = b.id
    WHERE a.id IS NULL`)
  // A login may rehash the same password: the hash then differs, but the count of changes does not.
  const passwords = await count(`
    ${before} b JOIN ${after} a ON a.id = b.id
    WHERE a.password_hash <> b.password_hash AND a.password_changes <> b.password_changes`)
  return { restored: back.map(({ id }) => id), lost, passwords }
}
