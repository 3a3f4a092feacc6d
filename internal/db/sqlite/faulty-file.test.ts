import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { appName } from '../../../web/contract/name.ts'
import { emptyFolder, required, run } from '../../testing/executable.ts'
import { databaseOf } from '../../testing/sqlite/address.ts'
import { addUser } from '../../testing/added.ts'
import { namesIn } from '../../testing/backups.ts'
import type { DatabaseAddress } from '../../base/settings/config.ts'
import { fileOf } from './address.ts'
import { openDatabase } from './driver.ts'

/** A folder with a database of Ann that nobody has open, and a backup of it. */
async function backedUp() {
  const folder = emptyFolder()
  const place = { folder, settings: { ...(await required()), FILES_PATH: 'files' } }
  const database = await databaseOf(folder)
  await run(['migrate'], place)
  const db = await openDatabase(database)
  await addUser(db)
  await db.close()
  await run(['backup', 'app.tar'], place)
  return { place, folder, database }
}

/** Overwrites what says which tables there are, and leaves what says that it is a database. */
function spoil(database: DatabaseAddress): void {
  const bytes = readFileSync(fileOf(database))
  writeFileSync(fileOf(database), bytes.fill(0x5a, 100, 4096))
}

test('restore puts a backup in the place of a database that is damaged, and keeps that', async () => {
  const [spoilt, cut] = [await backedUp(), await backedUp()]
  spoil(spoilt.database)
  truncateSync(fileOf(cut.database), 50_000)
  const restored = [
    await run(['restore', 'app.tar'], spoilt.place),
    await run(['restore', 'app.tar'], cut.place),
  ]
  expect(restored.map(({ code, stderr }) => ({ code, stderr }))).toEqual([
    { code: 0, stderr: '' },
    { code: 0, stderr: '' },
  ])
  const names = [await namesIn(spoilt.database), await namesIn(cut.database)]
  const aside = [spoilt, cut].map(({ folder }) =>
    readdirSync(folder).filter((name) => /\.db\.before-restore-\w+$/.test(name)),
  )
  expect(names).toEqual([['Ann'], ['Ann']])
  expect(aside.map(({ length }) => length)).toEqual([1, 1])
  expect(restored[0]?.stdout).toContain(`is kept as ${fileOf(spoilt.database)}.before-restore-`)
})

test('every other command on a database that is damaged says how it is replaced', async () => {
  const [spoilt, cut] = [await backedUp(), await backedUp()]
  spoil(spoilt.database)
  truncateSync(fileOf(cut.database), 50_000)
  const ended = await Promise.all([
    run(['users', 'list'], spoilt.place),
    run(['users', 'list'], cut.place),
    run(['serve'], cut.place),
  ])
  const said = new RegExp(
    `^${appName}: .*\\. Stop the server, and put a backup in its place with \`${appName} restore\`\\.\n$`,
  )
  expect(ended).toEqual(
    ended.map(() => ({ code: 1, stdout: '', stderr: expect.stringMatching(said) })),
  )
})
