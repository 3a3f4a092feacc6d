import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'

const databases = ['sqlite', 'postgres', 'mysql']

/** The names in a folder of each database. */
function namesIn(folder: string): string[][] {
  return databases.map((database) => readdirSync(`${folder}/${database}`).toSorted())
}

test('each database has the same migrations, by name', () => {
  const [first, ...others] = namesIn('migrations')
  expect(others).toEqual(others.map(() => first))
})

test('each database has a file for each contract', () => {
  const contracts = ['address', 'driver', 'feed', 'health', 'migrations', 'presence', 'snapshot']
  const tables = ['broadcasts', 'browsers', 'cache', 'jobs', 'logins', 'notifications', 'passkeys']
  const more = ['sessions', 'throttles', 'tokens', 'users']
  const needed = [...contracts, ...tables, ...more].map((name) => `${name}.ts`)
  const missing = namesIn('internal/db').map((names) => needed.filter((n) => !names.includes(n)))
  expect(missing).toEqual(databases.map(() => []))
})
