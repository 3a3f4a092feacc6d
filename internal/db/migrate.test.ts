import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newMigration, readMigrations } from './migrate.ts'
import { noon, temporaryFolder } from '../testing/database.ts'

test('migrations are read in the order of their timestamps', () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, '20261201000000_b.sql'), 'SELECT 2')
  writeFileSync(join(folder, '20261101000000_c.sql'), 'SELECT 1')
  expect(readMigrations(folder)).toEqual([
    { name: '20261101000000_c.sql', sql: 'SELECT 1' },
    { name: '20261201000000_b.sql', sql: 'SELECT 2' },
  ])
})

test('a file with another name is told', () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'users.sql'), '')
  expect(() => readMigrations(folder)).toThrow(`${join(folder, 'users.sql')} is no migration`)
})

test('a new migration is an empty file with the time in its name', () => {
  const folder = temporaryFolder()
  const path = newMigration(folder, 'add_language', noon)
  expect(path).toBe(join(folder, '20261121120000_add_language.sql'))
  expect(readFileSync(path, 'utf8')).toBe('')
})

test('a new migration needs a name of lower-case letters, digits and underscores', () => {
  const folder = temporaryFolder()
  expect(() => newMigration(folder, 'Add language', noon)).toThrow('named "Add language": use')
  expect(() => newMigration(folder, '../x', noon)).toThrow('named "../x": use')
  expect(() => newMigration(folder, '', noon)).toThrow('named "": use')
})

test('a new migration needs a name that no other has', () => {
  const folder = temporaryFolder()
  newMigration(folder, 'add_language', noon)
  expect(() => newMigration(folder, 'add_language', new Date())).toThrow('has that name already')
})
