import { ranInOrder } from '../../../internal/testing/sqlite-rows.ts'
import { addMigration, changeMigration } from '../../../internal/testing/migration-rows.ts'
import { appName } from '../../../web/contract/name.ts'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished, expect, test } from 'vitest'
import { openDatabase } from '#db/driver'
import { migrationsFolder } from '#db/migrations'
import {
  emptyFolder,
  otherUser,
  readOnlyFolder,
  required,
  run,
  serve,
} from '../../../internal/testing/executable.ts'

const names = readdirSync(migrationsFolder).toSorted()

test('migrate runs each migration once, and says which', async () => {
  const place = { folder: emptyFolder(), settings: await required() }
  const first = await run(['migrate'], place)
  const second = await run(['migrate'], place)
  expect(first).toMatchObject({ code: 0, stdout: names.map((name) => `ran ${name}\n`).join('') })
  expect(second).toMatchObject({
    code: 0,
    stdout: `${join(place.folder, `${appName}.db`)} is up to date.\n`,
  })
})

test('a migration that changed since it ran stops the start, and is named', async () => {
  const place = { folder: emptyFolder(), settings: await required() }
  await run(['migrate'], place)
  const db = await database(place.folder)
  await changeMigration(db, names.at(2) ?? '')
  const { code, stderr } = await run([], place)
  expect(code).toBe(1)
  expect(stderr).toContain(`The migration ${names.at(2)} has changed since it ran.`)
})

test('a recorded migration that has no file is left alone', async () => {
  const place = { folder: emptyFolder(), settings: await required() }
  await run(['migrate'], place)
  const db = await database(place.folder)
  await addMigration(db, '20200101000000_gone.sql', new Date('2020-01-01'))
  const app = await serve(place)
  expect((await fetch(`${app.origin}/up`)).status).toBe(200)
})

test('a database file that is a text file is refused by name, and left as it is', async () => {
  const folder = emptyFolder()
  const file = join(folder, `${appName}.db`)
  writeFileSync(file, 'Dear diary, this is no database.\n')
  const { code, stderr } = await run([], { folder, settings: await required() })
  expect(code).toBe(1)
  expect(stderr).toBe(
    `${appName}: The file ${file} is not a database: move it away, or set DB_PATH to another file.\n`,
  )
  expect(readFileSync(file, 'utf8')).toBe('Dear diary, this is no database.\n')
})

test('a folder that cannot be written is refused, naming the file and what to do', async () => {
  const user = otherUser()
  const folder = readOnlyFolder()
  const settings = { ...(await required()), TMPDIR: user.own(emptyFolder()) }
  const { code, stderr } = await run([], { folder, settings, user })
  expect(code).toBe(1)
  expect(stderr).toContain(`The database ${join(folder, `${appName}.db`)} cannot be written`)
})

test('a DB_PATH that is a folder is refused', async () => {
  const folder = emptyFolder()
  mkdirSync(join(folder, `${appName}.db`))
  const { code, stderr } = await run([], { folder, settings: await required() })
  expect(code).toBe(1)
  expect(stderr).toContain(`${appName}.db is a folder`)
})

test('four processes started at once on a new file run each migration once, and all serve', async () => {
  for (let round = 0; round < 3; round++) {
    const data = emptyFolder()
    const settings = { DB_PATH: join(data, `${appName}.db`) }
    const apps = await Promise.all([1, 2, 3, 4].map(() => serve({ settings })))
    const answers = await Promise.all(apps.map(({ origin }) => fetch(`${origin}/up`)))
    const db = await database(data)
    const ran = await ranInOrder(db)
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(ran).toEqual(names)
    await Promise.all(apps.map((app) => app.stop()))
  }
})

async function database(folder: string) {
  const db = await openDatabase({ file: join(folder, `${appName}.db`) })
  onTestFinished(() => db.close())
  return db
}
