import { randomBytes } from 'node:crypto'
import type { DatabaseAddress } from '../../base/settings/config.ts'
import { readMigrations } from '../../db/migrate.ts'
import { Connection } from '../../db/postgres/connection.ts'
import { serverOf } from '../../db/postgres/address.ts'
import { migrate, migrationsFolder } from '../../db/postgres/migrations.ts'
import { databaseLike } from './address.ts'
import { withServer } from './server.ts'

const made = new Map<string, Promise<string>>()

/**
 * A database of a test's own that all migrations ran on, as at that time. It is a copy of the one that they made first:
 * they take longer than most tests.
 */
export async function migratedIn(_folder: string, now: Date): Promise<DatabaseAddress> {
  const at = now.toISOString()
  const template = made.get(at) ?? makeTemplate(now)
  made.set(at, template)
  return databaseLike(await template)
}

/** It stays until the server that the tests started is gone, or somebody drops it. */
async function makeTemplate(now: Date): Promise<string> {
  const name = `template_${randomBytes(8).toString('hex')}`
  const url = await withServer(async (ask, urlOf) => {
    await ask(`CREATE DATABASE ${name} TEMPLATE template0 STRATEGY file_copy`)
    return urlOf(name)
  })
  await migrate({ url }, readMigrations(migrationsFolder), now)
  await gone(url)
  return name
}

/** A database is copied only once all connections to it have ended, which takes the server a moment. */
async function gone(url: string): Promise<void> {
  const { database } = serverOf({ url })
  const connection = await Connection.open(serverOf({ url: process.env['DB_URL'] ?? '' }))
  const others = () =>
    connection.ask('SELECT 1 FROM pg_stat_activity WHERE datname = $1', [database])
  while ((await others()).length > 0);
  await connection.end()
}
