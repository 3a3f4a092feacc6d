import type { DatabaseAddress } from '../../base/settings/config.ts'
import { serverOf } from '../../db/postgres/address.ts'
import { Connection } from '../../db/postgres/connection.ts'

/** Makes every process using a database seem dead: closes the connections that hold their locks. */
export function endPresences(database: DatabaseAddress): Promise<void> {
  return runScript(
    database,
    `SELECT pg_terminate_backend(pid) FROM pg_locks
    WHERE locktype = 'advisory' AND objsubid = 1
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  )
}

/** Returns the ID of a process whose end not even a superuser can determine, and what the errors about it name. */
export async function hiddenPresence(
  database: DatabaseAddress,
): Promise<{ id: string; named: string }> {
  const id = 'hidden'
  const { database: name } = serverOf(database)
  await runScript(
    database,
    `CREATE FUNCTION public.pg_try_advisory_xact_lock(number bigint) RETURNS boolean LANGUAGE plpgsql AS $$
    BEGIN
      IF number = hashtextextended('${id}', 0) THEN RAISE 'hidden by the test'; END IF;
      RETURN pg_catalog.pg_try_advisory_xact_lock(number);
    END $$;
    ALTER DATABASE ${name} SET search_path = public, pg_catalog`,
  )
  return { id, named: 'hidden by the test' }
}

async function runScript(database: DatabaseAddress, text: string): Promise<void> {
  const connection = await Connection.open(serverOf(database))
  try {
    await connection.script(text)
  } finally {
    await connection.end()
  }
}
