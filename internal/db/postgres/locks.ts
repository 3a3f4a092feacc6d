import { rowOf } from '../server/answer.ts'
import type { Connection } from './connection.ts'

/** The class of our advisory locks, which no other program should take by chance. Each is a class and a number. */
const own = 0x61_70_70

const numbers = {
  /** Shared by all processes that have the tables open; a restore has it alone. */
  open: ofSchema(1),
  /** Held by the process that migrates. */
  migrating: ofSchema(2),
}

type Lock = keyof typeof numbers

/** What a function for locks is called with. */
export const lockKeys: Readonly<Record<Lock, string>> = {
  open: `${own}, ${numbers.open}`,
  migrating: `${own}, ${numbers.migrating}`,
}

/** An expression: other tables of ours may lie in another schema of the same database, as those before a restore do. */
function ofSchema(number: number): string {
  return `CASE coalesce(current_schema(), 'public') WHEN 'public' THEN ${number} ELSE hashtext('${number} ' || current_schema()) END`
}

/** A statement that ends the connections of those who hold a lock, whatever the schema of who runs it. */
export async function endHolders(connection: Connection, lock: Lock): Promise<string> {
  // `pg_locks` shows a number below 0 as one without a sign.
  const { number } = rowOf(
    await connection.ask<{ number: string }>(
      `SELECT ((${numbers[lock]})::bigint & 4294967295)::text AS number`,
    ),
  )
  return `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND classid = ${own} AND objid = ${number}`
}
