import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { appName } from '../../../../web/contract/name.ts'
import { temporaryDatabase, temporaryFolder } from '../../../testing/database/database.ts'
import type { Finding } from '../../../base/finding.ts'
import { health } from '../health.ts'

/** Returns the findings on the file as `doctor` prints them, with placeholders for version and size. */
async function findingsOf(file: string): Promise<string[]> {
  const outcome = await health.inspect({ file })
  if (outcome.result !== 'open') return [line(outcome.finding)]
  const findings = [
    ...(await outcome.inspection.findings()),
    ...(await outcome.inspection.integrity()),
  ]
  await outcome.inspection.close()
  return findings.map(line)
}

function line({ state, check, finding, advice }: Finding): string {
  const words = [state, `${check}:`, finding, ...(advice === undefined ? [] : [advice])].join(' ')
  return words.replace(/SQLite [\d.]+/, 'SQLite x').replace(/[\d.]+ kB/, 'n kB')
}

/** Creates a database file that nobody has open. */
async function closedFile(): Promise<string> {
  const { db, address } = await temporaryDatabase()
  await db.close()
  return 'file' in address ? address.file : ''
}

const settings = 'ok database: SQLite x keeps every setting that the server gives it.'
const intact = 'ok integrity: The database is whole; all was checked.'

test('doctor warns of a database file that other users can read, with its mode', async () => {
  const file = await closedFile()
  chmodSync(file, 0o644)
  expect(await findingsOf(file)).toEqual([
    `warn database: ${file} is open to other users (mode 644), and holds password hashes. chmod 600 ${file}`,
    settings,
    `ok database: ${file} can be read, n kB.`,
    intact,
  ])
})

test('the chmod command that doctor prints can be run as it is, whatever the folder’s name', async () => {
  const folder = join(temporaryFolder(), "Ann's $HOME; app")
  mkdirSync(folder)
  const file = join(folder, 'data')
  renameSync(await closedFile(), file)
  chmodSync(file, 0o644)
  const [first = ''] = await findingsOf(file)
  execFileSync('sh', ['-c', first.slice(first.indexOf('chmod'))])
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('doctor warns of a write-ahead log that has grown large, with its size', async () => {
  const file = await closedFile()
  writeFileSync(`${file}-wal`, '', { mode: 0o600 })
  truncateSync(`${file}-wal`, 300 * 1024 * 1024)
  expect((await findingsOf(file))[0]).toBe(
    'warn database: The log beside it has grown to 314.6 MB. Look for a program that reads the database without an end, such as a shell of SQLite left open.',
  )
})

test('doctor reports a damaged database file with what is wrong and what to do', async () => {
  const file = await closedFile()
  const bytes = readFileSync(file)
  bytes.fill(0x5a, 8192 * 2, 8192 * 3)
  writeFileSync(file, bytes)
  const last = (await findingsOf(file)).at(-1)
  expect(last).toMatch(/^fail integrity: The database is damaged\. .+\. Stop the server, /)
  expect(last).toContain(
    `keep a copy of ${file}, and run \`${appName} restore\` with the last good backup. Have the disk and the memory checked.`,
  )
})

test('doctor reports a truncated database file with how to replace it', async () => {
  const file = await closedFile()
  truncateSync(file, 50_000)
  expect(await findingsOf(file)).toEqual([
    `fail database: ${file} cannot be opened: database disk image is malformed. Stop the server, and put a backup in its place with \`${appName} restore\`.`,
  ])
})

test('doctor reports a file that is not a database, and leaves it as it is', async () => {
  const file = join(temporaryFolder(), 'diary.db')
  writeFileSync(file, 'Dear diary, this is no database.\n')
  expect(await findingsOf(file)).toEqual([
    `fail database: ${file} cannot be opened: file is not a database. Move it away, or set DB_PATH to another file: a backup is not put in the place of what is none.`,
  ])
  expect(statSync(file).size).toBe(33)
})

test('doctor reports a folder as a folder, and another program’s database with one of its tables', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'songs.db')
  new Database(file).exec('CREATE TABLE songs (title TEXT)').close()
  expect([...(await findingsOf(folder)), ...(await findingsOf(file))]).toEqual([
    `fail database: ${folder} is a folder. Set DB_PATH to a file, such as ${join(folder, `${appName}.db`)}.`,
    `fail database: ${file} has tables of another program, such as songs. Set DB_PATH to another file.`,
  ])
})

test('doctor reports a missing database file', async () => {
  const file = join(temporaryFolder(), 'app.db')
  expect(await findingsOf(file)).toEqual([
    `fail database: There is no file ${file}. Set DB_PATH to the database of the server. For a new one there is nothing to do: the first start makes it.`,
  ])
})

test('for a database file in a missing folder doctor says to create the folder', async () => {
  const folder = join(temporaryFolder(), 'data')
  const file = join(folder, 'app.db')
  expect(await findingsOf(file)).toEqual([
    `fail database: There is no file ${file}. Set DB_PATH to the database of the server. For a new one make ${folder}: the first start makes the file.`,
  ])
})

test('doctor reports a database file that cannot be looked up as one that cannot be opened', async () => {
  const file = join(temporaryFolder(), 'app.db')
  symlinkSync(file, file)
  expect((await findingsOf(file))[0]).toMatch(/^fail database: .*app\.db cannot be opened: ELOOP: /)
})

test('a latest time that is none is reported with its value', async () => {
  const { db } = await temporaryDatabase()
  await db.run`UPDATE migrations SET ran_at = 'yesterday'`
  await expect(health.lastWritten(db)).rejects.toThrow(
    'The latest time in the database is none: yesterday.',
  )
})
