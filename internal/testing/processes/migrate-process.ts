import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { DatabaseAddress } from '../../base/settings/config.ts'
import type { Migration } from '../../db/migrate.ts'

const program = fileURLToPath(new URL('migrate-program.ts', import.meta.url))

/** Makes another process migrate a database as at its start, and then write; returns the migrations that it ran. */
export async function migrateProcess(
  database: DatabaseAddress,
  migrations: readonly Migration[],
): Promise<string[]> {
  const args = [program, JSON.stringify(database), JSON.stringify(migrations)]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return JSON.parse(stdout) as string[]
}
