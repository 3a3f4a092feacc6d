import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  emptyFolder,
  requiredSettings,
  run,
  serve,
  type Served,
} from '../../testing/processes/executable.ts'
import { userNamesIn } from '../../testing/database/backups.ts'
import { temporaryDatabase } from '../../testing/database/database.ts'
import { ann, registration } from '../../testing/people.ts'
import { addUser, ann as template } from '../../testing/database/user-rows.ts'
import { databaseOf } from '../../testing/sqlite/address.ts'
import { fileOf } from './address.ts'
import { openDatabase } from './driver.ts'

/** Starts a server on which Ann has registered, and returns its database and a free name beside that. */
async function served() {
  const app = await serve()
  expect((await app.browser().post('/register', registration(ann))).status).toBe(200)
  const file = fileOf(app.database)
  expect(statSync(`${file}-wal`).size).toBeGreaterThan(0)
  return { app, file, away: `${file}.away` }
}

async function up(app: Served): Promise<number> {
  return (await app.browser().get('/up')).status
}

const eve = { ...template, name: 'Eve', email: 'e@x.test', emailKey: 'e@x.test' }

/** Creates the database of another server, of Eve alone, and returns its file. */
async function anotherFile(): Promise<string> {
  const { db, address } = await temporaryDatabase()
  await addUser(db, eve)
  await db.close()
  return fileOf(address)
}

/** Serves from a folder once more, and returns what doctor then says of the database there. */
async function servedAgain(folder: string): Promise<string> {
  const settings = await requiredSettings()
  const app = await serve({ folder, settings })
  expect(await up(app)).toBe(200)
  await app.stop()
  return (await run(['doctor'], { folder, settings })).stdout
}

const whole = 'ok    integrity: The database is whole'

test('a database moved away under a server has all changes, and the next start makes another', async () => {
  const { app, file, away } = await served()
  renameSync(file, away)
  expect(await up(app)).toBe(503)
  await app.stop()
  expect(await servedAgain(app.folder)).toContain(whole)
  expect([await userNamesIn({ file: away }), await userNamesIn({ file })]).toEqual([['Ann'], []])
})

test('a file put in the place of a database that was moved away keeps its own content', async () => {
  const { app, file, away } = await served()
  renameSync(file, away)
  renameSync(await anotherFile(), file)
  expect(await up(app)).toBe(503)
  await app.stop()
  expect(await servedAgain(app.folder)).toContain(whole)
  expect([await userNamesIn({ file: away }), await userNamesIn({ file })]).toEqual([
    ['Ann'],
    ['Eve'],
  ])
})

test('a file renamed over the database of a server that is then stopped keeps its own content', async () => {
  const { app, file } = await served()
  renameSync(await anotherFile(), file)
  await app.stop()
  expect(await servedAgain(app.folder)).toContain(whole)
  expect(await userNamesIn({ file })).toEqual(['Eve'])
})

/** Copies the database and deletes it, like `mv` to another disk, which keeps the time of the last change. */
function moveToDisk(file: string, away: string): void {
  execFileSync('cp', ['-p', file, away])
  rmSync(file)
}

test('a database moved to another disk finds the log where it was, beside which no other is begun', async () => {
  const { app, file, away } = await served()
  const place = { folder: app.folder, settings: await requiredSettings() }
  expect((await run(['backup', 'app.tar'], place)).code).toBe(0)
  moveToDisk(file, away)
  expect(await up(app)).toBe(503)
  await app.stop()
  const [started, migrated, restored, doctor, keyless] = await Promise.all([
    run([], place),
    run(['migrate'], place),
    run(['restore', 'app.tar'], place),
    run(['doctor'], place),
    run([], { ...place, settings: { ...place.settings, APP_KEY: '' } }),
  ])
  const finding = `There is no database ${file}, but its log ${file}-wal, which holds changes`
  expect([started.code, started.stderr]).toEqual([
    1,
    expect.stringContaining(
      `${finding}: put the database back beside it, or move the log away to begin without them.\n`,
    ),
  ])
  expect([migrated.stderr, restored.stderr]).toEqual([started.stderr, started.stderr])
  expect(doctor.stdout).toContain(`fail  database: ${finding}. Put the database back`)
  expect(keyless.stderr).toContain('has accounts could not be seen.')
  expect(existsSync(file)).toBe(false)
  renameSync(away, file)
  expect(await servedAgain(app.folder)).toContain(whole)
  expect(await userNamesIn({ file })).toEqual(['Ann'])
})

test('a database brought back from another disk has all changes once the server is started again', async () => {
  const { app, file, away } = await served()
  moveToDisk(file, away)
  renameSync(away, file)
  expect(await up(app)).toBe(503)
  await app.stop()
  expect(await servedAgain(app.folder)).toContain(whole)
  expect(await userNamesIn({ file })).toEqual(['Ann'])
})

test('a database that another program writes to under its new name gets nothing from the old log', async () => {
  const folder = emptyFolder()
  const settings = await requiredSettings()
  await run(['migrate'], { folder, settings })
  const database = await databaseOf(folder)
  const [file, away] = [fileOf(database), join(folder, 'away.db')]
  const db = await openDatabase(database)
  onTestFinished(() => db.close())
  const { id } = await addUser(db)
  await db.emptyLog()
  await addUser(db, eve)
  renameSync(file, away)
  const place = { folder, settings: { ...settings, DB_PATH: away, FILES_PATH: 'files' } }
  expect((await run(['users', 'delete', String(id), '--yes'], place)).code).toBe(0)
  const before = readFileSync(away)
  await expect(db.ping()).rejects.toThrow('was moved away or replaced')
  await db.close()
  expect(readFileSync(away).equals(before)).toBe(true)
  expect((await run(['doctor'], place)).stdout).toContain(whole)
})
