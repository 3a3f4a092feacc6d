import { globSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const databases = ['sqlite', 'postgres', 'mysql']

/** Returns the names in each database's folder. */
function namesIn(folder: string): string[][] {
  return databases.map((database) => readdirSync(`${folder}/${database}`).toSorted())
}

test('every database has migrations of the same names', () => {
  const [first, ...others] = namesIn('migrations')
  expect(others).toEqual(others.map(() => first))
})

test('every database has a file for each contract', () => {
  const contracts = ['address', 'driver', 'feed', 'health', 'migrations', 'presence', 'snapshot']
  const tables = ['broadcasts', 'browsers', 'cache', 'jobs', 'logins', 'notifications', 'passkeys']
  const more = ['sessions', 'throttles', 'tokens', 'users']
  const needed = [...contracts, ...tables, ...more].map((name) => `${name}.ts`)
  const missing = namesIn('internal/db').map((names) => needed.filter((n) => !names.includes(n)))
  expect(missing).toEqual(databases.map(() => []))
})

test('SQL that every database understands is written only once', () => {
  const [first = [], ...others] = databases.map((database) => statementsOf(database))
  expect(first).not.toEqual([])
  expect(first.filter((sql) => others.every((other) => other.includes(sql)))).toEqual([])
})

/** Returns the statements that each database has in its own dialect, in the same layout. */
function statementsOf(database: string): string[] {
  const folders = database === 'sqlite' ? [database] : [database, 'server']
  const files = folders.flatMap((folder) => globSync(`internal/db/${folder}/*.ts`))
  const code = files.filter((file) => !file.endsWith('.test.ts')).map((file) => readFileSync(file))
  const sqlCall = /\.(?:first|all|run)(?:<[^`]*>)?(`[^`]*`)/g
  return [...code.join('\n').matchAll(sqlCall)].map(([, sql = '']) =>
    sql.replaceAll('"key"', 'key').replaceAll(/\s+/g, ' '),
  )
}
