import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { addUser, ann } from '../../testing/database/user-rows.ts'
import { temporaryDatabase, unusedAddress } from '../../testing/database/database.ts'
import { everyRow, replaceContent } from '../../testing/database/snapshots.ts'
import type { Database } from '../db.ts'
import { fileOf } from './address.ts'
import { openWriter } from './connection.ts'

/** What SQLite stores and other databases may refuse. */
test('a text with a NUL and the largest integers are copied exactly', async () => {
  const { db, address } = await temporaryDatabase()
  const { id } = await addUser(db, { ...ann, name: 'An\0n' })
  const largest = [2n ** 63n - 1n, -(2n ** 63n), 2n ** 53n + 1n]
  for (const [n, value] of largest.entries()) {
    await addUser(db, { ...ann, email: `${n}@x.test`, emailKey: `${n}@x.test` })
    await db.run`UPDATE users SET two_factor_step = ${value} WHERE id = ${id + n}`
  }
  const other = await unusedAddress()
  await replaceContent(address, other)
  const rows = (await everyRow(other))['users'] ?? []
  expect(rows).toEqual((await everyRow(address))['users'])
  expect(rows.flat()).toEqual(expect.arrayContaining(['An\0n', ...largest]))
})

test('a value that does not fit its column is reported with table, row and column', async () => {
  const { db, address } = await temporaryDatabase()
  await addUser(db)
  const messages: string[] = []
  for (const spoil of spoiled) {
    await spoil(db)
    messages.push(await everyRow(address).then(String, ({ message }: Error) => message))
    await db.run`UPDATE users SET created_at = ${new Date(0)}, password_changes = 0, name = 'Ann'`
  }
  expect(messages).toEqual([
    'In the row of users with the ID 1 created_at is no time.',
    'In the row of users with the ID 1 password_changes is no integer.',
    'In the row of users with the ID 1 name is no text.',
    'In a row of migrations ran_at is no time.',
  ])
})

const spoiled = [
  (db: Database) => db.run`UPDATE users SET created_at = 'yesterday'`,
  (db: Database) => db.run`UPDATE users SET password_changes = 1.5`,
  (db: Database) => db.run`UPDATE users SET name = x'00'`,
  (db: Database) => db.run`UPDATE migrations SET ran_at = 'yesterday'`,
]

test('a table comes after one it refers to, even if that was created later', async () => {
  const { db, address } = await temporaryDatabase()
  await db.run`CREATE TABLE toys (dog_id INTEGER REFERENCES dogs (id))`
  await db.run`CREATE TABLE dogs (id INTEGER PRIMARY KEY, best_friend INTEGER REFERENCES dogs (id))`
  const names = Object.keys(await everyRow(address))
  expect(names.slice(-2)).toEqual(['dogs', 'toys'])
})

test('a column of an unsupported type is reported with the supported types', async () => {
  const { db, address } = await temporaryDatabase()
  await db.run`ALTER TABLE users ADD COLUMN size DECIMAL(9, 2)`
  await expect(everyRow(address)).rejects.toThrow(
    'The column size of users is declared as "DECIMAL(9, 2)": make it one of integer, real, text',
  )
})

test('deleted rows are not in the restored file', async () => {
  const { db, address } = await temporaryDatabase()
  await addUser(db, { ...ann, name: 'Mallory the deleted' })
  await db.run`DELETE FROM users`
  const other = await unusedAddress()
  await replaceContent(address, other)
  expect(readFileSync(fileOf(other), 'latin1')).not.toContain('Mallory the deleted')
})

test('the restored file has the same schema and indexes, and passes the integrity check', async () => {
  const { db, address } = await temporaryDatabase()
  await addUser(db)
  const other = await unusedAddress()
  await replaceContent(address, other)
  const connection = await openWriter(fileOf(other), 1000)
  const check = connection.pragma('integrity_check', { simple: true })
  const schema = connection.prepare('SELECT name, sql FROM sqlite_schema ORDER BY name').all()
  connection.close()
  expect([check, schema]).toEqual([
    'ok',
    await db.all`SELECT name, sql FROM sqlite_schema ORDER BY name`,
  ])
})
