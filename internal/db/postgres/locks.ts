import { rowOf } from '../server/answer.ts'
import type { Connection } from './connection.ts'

/**
 * The class of our advisory locks, chosen so that no other program uses it by chance. A lock is a class and a number.
 */
const own = 0x61_70_70

const numbers = {
  /** Shared by all processes that have the tables open; a restore holds it exclusively. */
  open: ofSchema(1),
  /** Held by the process that migrates. */
  migrating: ofSchema(2),
}

type Lock = keyof typeof numbers

/** The arguments of the lock functions. */
export const lockKeys: Readonly<Record<Lock, string>> = {
  open: `${own}, ${numbers.open}`,
  migrating: `${own}, ${numbers.migrating}`,
}

/**
 * An SQL expression that depends on the schema, since another schema of the database may hold tables of ours, such as
 * those kept by a restore.
 */
function ofSchema(number: number): string {
  return `CASE coalesce(current_schema(), 'public') WHEN 'public' THEN ${number} ELSE hashtext('${number} ' || current_schema()) END`
}

/** Returns a statement that ends the connections of a lock's holders, whatever the schema of whoever runs it. */
export async function endHolders(connection: Connection, lock: Lock): Promise<string> {
  // `pg_locks` shows negative numbers as unsigned.
  const { number } = rowOf(
    await connection.ask<{ number: string }>(
      `SELECT ((${numbers[lock]})::bigint & 4294967295)::text AS number`,
    ),
  )
  return `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND classid = ${own} AND objid = ${number}`
}
