import {
  addMigration,
  changeMigration,
  forgetMigration,
} from '../../../../internal/testing/database/migration-rows.ts'
import { readdirSync } from 'node:fs'
import { onTestFinished, expect, test } from 'vitest'
import { addresses } from '#db/address'
import { openDatabase } from '#db/driver'
import { migrationsFolder } from '#db/migrations'
import { migrationsInOrder } from '#testing/rows'
import { settingOf, unusedAddress } from '../../../../internal/testing/database/database.ts'
import { requiredSettings, run, serve } from '../../../../internal/testing/processes/executable.ts'
import type { DatabaseAddress } from '../../../../internal/base/settings/config.ts'

const names = readdirSync(migrationsFolder).toSorted()

test('migrate runs each migration once and prints its name', async () => {
  const { address, ...place } = await emptyDatabase()
  const first = await run(['migrate'], place)
  const second = await run(['migrate'], place)
  expect(first).toMatchObject({ code: 0, stdout: names.map((name) => `ran ${name}\n`).join('') })
  expect(second).toMatchObject({
    code: 0,
    stdout: `${addresses.nameOf(address)} is up to date.\n`,
  })
})

test('a migration that changed since it ran stops the start, and the error names it', async () => {
  const { address, ...place } = await emptyDatabase()
  await run(['migrate'], place)
  const db = await openUntilEnd(address)
  await changeMigration(db, names.at(2) ?? '')
  const { code, stderr } = await run([], place)
  expect(code).toBe(1)
  expect(stderr).toContain(`The migration ${names.at(2)} has changed since it ran.`)
})

test('a migration that fails stops the start with one line that says why and what to do', async () => {
  const { address, ...place } = await emptyDatabase()
  await run(['migrate'], place)
  const db = await openUntilEnd(address)
  await forgetMigration(db, names.at(0) ?? '')
  for (const args of [['migrate'], []])
    expect(await run(args, place)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^\w+: The migration \d+_users.sql failed, and left nothing: .*\busers\b.* already exists\. Correct its SQL, or what prevents it, and migrate again\.\n$/,
      ) as string,
    })
})

test('a recorded migration without a file does not prevent the start', async () => {
  const { address, ...place } = await emptyDatabase()
  await run(['migrate'], place)
  const db = await openUntilEnd(address)
  await addMigration(db, '20200101000000_gone.sql', new Date('2020-01-01'))
  const app = await serve(place)
  expect((await fetch(`${app.origin}/up`)).status).toBe(200)
})

test('four servers started at once on a new database run each migration once, and all serve', async () => {
  for (let round = 0; round < 3; round++) {
    const address = await unusedAddress()
    const settings = settingOf(address)
    const apps = await Promise.all([1, 2, 3, 4].map(() => serve({ settings })))
    const answers = await Promise.all(apps.map(({ origin }) => fetch(`${origin}/up`)))
    const db = await openUntilEnd(address)
    const ranNames = await migrationsInOrder(db)
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(ranNames).toEqual(names)
    await Promise.all(apps.map((app) => app.stop()))
  }
})

/** Returns an address without migrations, and the settings for commands there. */
async function emptyDatabase() {
  const address = await unusedAddress()
  return { address, settings: { ...(await requiredSettings()), ...settingOf(address) } }
}

async function openUntilEnd(address: DatabaseAddress) {
  const db = await openDatabase(address)
  onTestFinished(() => db.close())
  return db
}
