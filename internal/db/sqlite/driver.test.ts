import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { fileOf } from './address.ts'
import { DatabaseBusy } from '../db.ts'
import { openReader, openWriter } from './connection.ts'
import { openDatabase } from './driver.ts'
import { noon, temporaryDatabase, temporaryFolder } from '../../testing/database/database.ts'

test('times, booleans and bytes are read back as they were written', async () => {
  const { db } = await temporaryDatabase()
  await db.run`CREATE TABLE things (was_at datetime, is_so boolean, some_bytes BLOB, a_text TEXT)`
  const bytes = new Uint8Array([0, 255])
  const kept = { wasAt: noon, isSo: true, someBytes: Buffer.from(bytes), aText: 'Ann 🙂' }
  expect(
    await db.first`INSERT INTO things VALUES (${noon}, ${true}, ${bytes}, ${'Ann 🙂'}) RETURNING *`,
  ).toEqual(kept)
  expect(await db.first`SELECT * FROM things`).toEqual(kept)
  expect(await db.all`SELECT was_at, is_so FROM things WHERE was_at = ${noon}`).toEqual([
    { wasAt: noon, isSo: true },
  ])
})

test('null can be stored in a column of any type', async () => {
  const { db } = await temporaryDatabase()
  await db.run`CREATE TABLE things (was_at datetime, is_so boolean, some_bytes BLOB)`
  await db.run`INSERT INTO things VALUES (${null}, ${null}, ${null})`
  expect(await db.first`SELECT * FROM things`).toEqual({
    wasAt: null,
    isSo: null,
    someBytes: null,
  })
})

test('times are stored as text in UTC, and a time after the year 9999 is refused', async () => {
  const { db } = await temporaryDatabase()
  expect(await db.first`SELECT ${new Date('2026-11-21T13:00:00.007+01:00')} AS at`).toEqual({
    at: '2026-11-21 12:00:00.007',
  })
  await expect(db.first`SELECT ${new Date('+012026-01-01T00:00:00Z')}`).rejects.toThrow(
    'keeps no time such as +012026',
  )
})

test('run returns the number of changed rows', async () => {
  const { db } = await temporaryDatabase()
  await db.run`CREATE TABLE things (id INTEGER)`
  expect(await db.run`INSERT INTO things VALUES (1), (2), (3)`).toBe(3)
  expect(await db.run`DELETE FROM things WHERE id > ${1}`).toBe(2)
  expect(await db.run`DELETE FROM things WHERE id > ${1}`).toBe(0)
})

test('a statement continues to work and returns a column that another process has added', async () => {
  const { db, address } = await temporaryDatabase()
  const path = fileOf(address)
  await db.run`CREATE TABLE things (id INTEGER)`
  await db.run`INSERT INTO things VALUES (1)`
  const read = () => db.first`SELECT t.*, ${true} AS last FROM things t`
  expect(await read()).toEqual({ id: 1, last: 1 })
  const other = await openWriter(path, 0)
  other.exec('ALTER TABLE things ADD COLUMN seen_at datetime')
  other.close()
  expect(await read()).toEqual({ id: 1, seenAt: null, last: 1 })
})

test('both connections have the settings of security rule 19', async () => {
  const { db } = await temporaryDatabase()
  const onReader = [
    await db.first`PRAGMA journal_mode`,
    await db.first`PRAGMA synchronous`,
    await db.first`PRAGMA foreign_keys`,
    await db.first`PRAGMA busy_timeout`,
    await db.first`PRAGMA trusted_schema`,
    await db.first`PRAGMA cell_size_check`,
    await db.first`PRAGMA journal_size_limit`,
  ]
  const onWriter = await db.transaction(async (tx) => [
    await tx.first`PRAGMA journal_mode`,
    await tx.first`PRAGMA synchronous`,
    await tx.first`PRAGMA foreign_keys`,
    await tx.first`PRAGMA busy_timeout`,
    await tx.first`PRAGMA trusted_schema`,
    await tx.first`PRAGMA cell_size_check`,
    await tx.first`PRAGMA journal_size_limit`,
  ])
  const settings = [
    { journalMode: 'wal' },
    { synchronous: 2 },
    { foreignKeys: 1 },
    { timeout: 100 },
    { trustedSchema: 0 },
    { cellSizeCheck: 1 },
    { journalSizeLimit: 67_108_864 },
  ]
  expect(onReader).toEqual(settings)
  expect(onWriter).toEqual(settings)
})

test('opening fails if a setting does not take effect', async () => {
  const path = join(temporaryFolder(), 'app.db')
  const writer = await openWriter(path, 0)
  writer.pragma('journal_mode = delete')
  expect(() => openReader(path)).toThrow()
  writer.close()
})

test('opening waits while another process creates the database file, or fails as busy', async () => {
  const path = join(temporaryFolder(), 'app.db')
  const other = await openWriter(path, 0)
  other.pragma('journal_mode = delete')
  other.exec('BEGIN EXCLUSIVE')
  await expect(openDatabase({ file: path }, { wait: 0 })).rejects.toBeInstanceOf(DatabaseBusy)
  const opening = openDatabase({ file: path }, { wait: 10_000 })
  other.exec('COMMIT')
  other.close()
  const db = await opening
  await db.ping()
  await db.close()
})

test('a database that is not a file is refused', async () => {
  await expect(openDatabase({ file: '' })).rejects.toThrow('must be kept in a file: set DB_PATH')
  await expect(openDatabase({ file: ' ' })).rejects.toThrow('must be kept in a file')
  await expect(openDatabase({ file: ':memory:' })).rejects.toThrow('must be kept in a file')
})

test('a file that is not a database is named in the error and left as it is', async () => {
  const path = join(temporaryFolder(), 'notes.txt')
  writeFileSync(path, 'Buy milk.')
  await expect(openDatabase({ file: path })).rejects.toThrow(
    `The file ${path} is not a database: move it`,
  )
  expect(statSync(path).size).toBe(9)
})

test('a folder in place of the database is named in the error', async () => {
  const folder = temporaryFolder()
  await expect(openDatabase({ file: folder })).rejects.toThrow(
    `The database ${folder} is a folder: set`,
  )
})

test('a missing folder of the database is named in the error', async () => {
  const folder = join(temporaryFolder(), 'missing')
  await expect(openDatabase({ file: join(folder, 'app.db') })).rejects.toThrow(
    `has no folder: make ${folder}`,
  )
})

test('a database that is a broken link is not created, and the error names the link and its target', async () => {
  const folder = temporaryFolder()
  const [file, target] = [join(folder, 'app.db'), join(folder, 'away/real.db')]
  symlinkSync('away/real.db', file)
  for (const _ of ['its folder away', 'its folder there']) {
    await expect(openDatabase({ file })).rejects.toThrow(
      `The database ${file} is a link to ${target}, which is not there: bring that back`,
    )
    mkdirSync(dirname(target), { recursive: true })
  }
  expect(readdirSync(dirname(target))).toEqual([])
})

test.skipIf(process.getuid?.() === 0)(
  'opening a database in a folder that cannot be written fails with what to do',
  async () => {
    const folder = join(temporaryFolder(), 'locked')
    mkdirSync(folder)
    chmodSync(folder, 0o555)
    await expect(openDatabase({ file: join(folder, 'app.db') })).rejects.toThrow(
      'cannot be written: let this',
    )
  },
)

test.runIf(process.getuid?.() === 0)(
  'SQLite itself tests whether the database can be written, whatever the system says of permissions',
  async () => {
    const { db, address } = await temporaryDatabase()
    await db.close()
    const file = fileOf(address)
    for (const path of [dirname(file), file]) chownSync(path, 65_534, 65_534)
    writeFileSync(`${file}-shm`, '', { mode: 0o444 })
    // Access checks ask for root's rights, while files are opened with another user's.
    const program = `const { openDatabase } = await import('#db/driver')
      await (await openDatabase({ file: process.argv[1] + '.other' })).close()
      process.seteuid(65534)
      await openDatabase({ file: process.argv[1] }).catch(({ message }) => console.log(message))`
    const words = ['--input-type=module', '-e', program, file]
    const stdout = execFileSync(process.execPath, words, {
      cwd: import.meta.dirname,
      encoding: 'utf8',
    })
    expect(stdout).toBe(
      `The database ${file} cannot be written: let this user read and write it and its folder, or set DB_PATH to another file.\n`,
    )
  },
)

test('the database file is private to its owner', async () => {
  const { address } = await temporaryDatabase()
  const path = fileOf(address)
  expect(statSync(path).mode & 0o077).toBe(0)
})

test('ping throws once the database is closed', async () => {
  const { db } = await temporaryDatabase()
  await db.ping()
  await db.close()
  await expect(db.ping()).rejects.toThrow('not open')
})

test('ping throws once what was written is gone from the files', async () => {
  const { db, address } = await temporaryDatabase()
  const path = fileOf(address)
  await db.run`CREATE TABLE things (id INTEGER)`
  await db.ping()
  truncateSync(`${path}-wal`, 0)
  writeFileSync(path, 'no database')
  await db.run`INSERT INTO things VALUES (1)`
  await expect(db.ping()).rejects.toThrow()
})

test('close waits for writes under way, and leaves one file', async () => {
  const { db, address } = await temporaryDatabase()
  const path = fileOf(address)
  const written = db.run`CREATE TABLE things (id INTEGER)`
  await db.close()
  await written
  await expect(db.run`INSERT INTO things VALUES (1)`).rejects.toThrow('The database is closed.')
  expect(existsSync(`${path}-wal`)).toBe(false)
})
