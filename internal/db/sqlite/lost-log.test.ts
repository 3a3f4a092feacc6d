import { chmodSync, copyFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  emptyFolder,
  otherUser,
  requiredSettings,
  run,
  serve,
  type Served,
} from '../../testing/processes/executable.ts'
import { userNamesIn } from '../../testing/database/backups.ts'
import { ann, bob, registration } from '../../testing/people.ts'
import { setUserNames } from '../../testing/database/rows.ts'
import { addUser } from '../../testing/database/user-rows.ts'
import { databaseOf } from '../../testing/sqlite/address.ts'
import { fileOf } from './address.ts'
import { openWriter } from './connection.ts'
import { openDatabase } from './driver.ts'

/** Starts a server on which Ann has registered, and returns its database. */
async function served() {
  const app = await serve()
  expect(await register(app, ann)).toBe(200)
  return { app, file: fileOf(app.database) }
}

async function register(app: Served, person: typeof ann): Promise<number> {
  return (await app.browser().post('/register', registration(person))).status
}

async function killed(app: Served): Promise<string[]> {
  app.signal('SIGKILL')
  await app.exit
  return userNamesIn(app.database)
}

/** Returns its warnings that have an error. */
function warned(app: Served, message: string): unknown[] {
  return app.lines
    .filter((line) => line.message === message)
    .map(({ error }) => (error as Error).message)
}

const mended = 'files of the database were taken away, and are written anew'
const refused = 'the database cannot be used'

test('a log deleted under a server is rewritten, and nothing is lost even if the server is killed', async () => {
  const { app, file } = await served()
  rmSync(`${file}-wal`)
  expect(await register(app, bob)).toBe(200)
  await expect
    .poll(() => warned(app, mended))
    .toEqual([
      expect.stringMatching(`^The log ${file}-wal, or .* was deleted .* All that it held is in`),
    ])
  expect(await killed(app)).toEqual(['Ann', 'Bob'])
})

test('a request for /up rewrites the deleted log and index of the database, and nothing is lost', async () => {
  const { app, file } = await served()
  for (const end of ['-wal', '-shm']) rmSync(file + end)
  expect((await app.browser().get('/up')).status).toBe(200)
  expect(await killed(app)).toEqual(['Ann'])
})

test('a log replaced by another file is rewritten, and nothing is lost', async () => {
  const { app, file } = await served()
  copyFileSync(`${file}-wal`, `${file}-copy`)
  renameSync(`${file}-copy`, `${file}-wal`)
  expect(await register(app, bob)).toBe(200)
  expect(await killed(app)).toEqual(['Ann', 'Bob'])
})

test('a deleted log stops writes while another process has the database open, and nothing is lost', async () => {
  const { app, file } = await served()
  const other = await openWriter(file, 5000)
  onTestFinished(() => void other.close())
  other.prepare('SELECT count(*) FROM users').get()
  rmSync(`${file}-wal`)
  expect([await register(app, bob), await register(app, bob)]).toEqual([503, 503])
  await expect
    .poll(() => warned(app, refused))
    .toEqual([
      expect.stringMatching(/All that it held is in the database, which another process has open/),
    ])
  other.close()
  expect(await register(app, bob)).toBe(200)
  expect(await killed(app)).toEqual(['Ann', 'Bob'])
})

/** Opens a database of Ann in this process, like a server, which checks its files only on request. */
async function openWithAnn() {
  const folder = emptyFolder()
  const place = { folder, settings: { ...(await requiredSettings()), FILES_PATH: 'files' } }
  const database = await databaseOf(folder)
  await run(['migrate'], place)
  const db = await openDatabase(database)
  onTestFinished(() => db.close())
  const { id } = await addUser(db)
  return { db, id, place, database, file: fileOf(database) }
}

test('once another program has written to a log of its own, all queries fail and nothing is mixed', async () => {
  const { db, id, place, database, file } = await openWithAnn()
  expect(await db.emptyLog()).toBe(true)
  await setUserNames(db, 'Eve')
  // A newcomer shares nothing with this process, and sees what was moved into the database.
  for (const end of ['-wal', '-shm']) rmSync(file + end)
  const ended = await run(['users', 'delete', String(id), '--yes'], place)
  expect(ended).toMatchObject({ code: 0 })
  const refusal = 'Another program has written to one of its own'
  await expect(setUserNames(db, 'Bob')).rejects.toThrow(refusal)
  await expect(db.first`SELECT * FROM users`).rejects.toThrow(refusal)
  await expect(db.ping()).rejects.toThrow(refusal)
  await db.close()
  expect(await userNamesIn(database)).toEqual([])
  expect((await run(['doctor'], place)).stdout).toContain('ok    integrity: The database is whole')
})

test('a program that only reads does not prevent a deleted log from being rewritten', async () => {
  const { db, place, database, file } = await openWithAnn()
  for (const end of ['-wal', '-shm']) rmSync(file + end)
  expect((await run(['doctor'], place)).code).toBe(0)
  await setUserNames(db, 'Eve')
  await db.close()
  expect(await userNamesIn(database)).toEqual(['Eve'])
})

test('doctor and backup report a log deleted under a server, and work once the server has rewritten it', async () => {
  const { db, place, file } = await openWithAnn()
  rmSync(`${file}-wal`)
  const doctor = await run(['doctor'], place)
  const backup = await run(['backup', 'app.tar'], place)
  const expected = /Its log \(-wal\) was deleted or replaced while a server had it open: .* \/up/
  expect(doctor.stdout).toMatch(new RegExp(`^fail  integrity: .*${expected.source}`, 'm'))
  expect(backup).toMatchObject({ code: 1, stderr: expect.stringMatching(expected) })
  expect(doctor.stdout + backup.stderr).not.toContain('restore')
  await db.ping()
  expect((await run(['backup', 'app.tar'], place)).code).toBe(0)
  expect((await run(['doctor'], place)).code).toBe(0)
})

test('a writer is refused while the log of an open database is missing, and nothing is lost', async () => {
  const { db, database, file } = await openWithAnn()
  await setUserNames(db, 'Eve')
  rmSync(`${file}-wal`)
  await expect(openWriter(file, 0)).rejects.toThrow('Its log (-wal) was deleted or replaced')
  await db.ping()
  const other = await openWriter(file, 0)
  other.close()
  await db.close()
  expect(await userNamesIn(database)).toEqual(['Eve'])
})

test('what the process itself moved into the database is not taken for another program’s write', async () => {
  const { db, place, database, file } = await openWithAnn()
  expect(await db.emptyLog()).toBe(true)
  for (const end of ['-wal', '-shm']) rmSync(file + end)
  expect((await run(['doctor'], place)).code).toBe(0)
  await setUserNames(db, 'Eve')
  await db.close()
  expect(await userNamesIn(database)).toEqual(['Eve'])
})

test('a log deleted while the database may not be opened is rewritten once it may, and nothing is lost', async () => {
  const user = otherUser()
  const folder = user.own(emptyFolder())
  const app = await serve({ folder, user, settings: { FILES_PATH: join(folder, 'files') } })
  const file = fileOf(app.database)
  expect(await register(app, ann)).toBe(200)
  chmodSync(file, 0o000)
  rmSync(`${file}-wal`)
  expect([await register(app, bob), await register(app, bob)]).toEqual([500, 500])
  chmodSync(file, 0o600)
  expect(await register(app, bob)).toBe(200)
  expect(await killed(app)).toEqual(['Ann', 'Bob'])
})
