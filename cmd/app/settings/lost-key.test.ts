import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addresses } from '#db/address'
import { addUser } from '../../../internal/testing/database/user-rows.ts'
import {
  settingOf,
  temporaryDatabase,
  unusedAddress,
} from '../../../internal/testing/database/database.ts'
import { emptyFolder, run } from '../../../internal/testing/processes/executable.ts'

const freshKey = /APP_KEY=base64:[\w+/]{43}=/

/** Creates a database with an account, and returns the setting that names it. */
async function withAccount() {
  const { db, address } = await temporaryDatabase()
  await addUser(db)
  return { name: addresses.nameOf(address), setting: settingOf(address) }
}

test('a start without a valid APP_KEY asks for the old key if accounts exist, and suggests no new one', async () => {
  const { name, setting } = await withAccount()
  const faultySettings: readonly Readonly<Record<string, string>>[] = [
    {},
    { APP_KEY: 'base64:c2hvcnQ=' },
    { APP_KEY_FILE: 'no such file' },
  ]
  const runs = faultySettings.map((settings) => run([], { settings: { ...settings, ...setting } }))
  const results = await Promise.all(runs)
  expect(results.map(({ code }) => code)).toEqual([3, 3, 3])
  expect(results.filter(({ stderr }) => freshKey.test(stderr))).toEqual([])
  expect(
    results.filter(({ stderr }) => !stderr.includes(`${name} has accounts, so put their key back`)),
  ).toEqual([])
})

test('a start with both APP_KEY and APP_KEY_FILE asks to leave one out, and suggests no new key', async () => {
  const { setting } = await withAccount()
  const key = `base64:${randomBytes(32).toString('base64')}`
  const settings = { ...setting, APP_KEY: key, APP_KEY_FILE: 'key' }
  const { code, stderr } = await run([], { settings })
  expect(code).toBe(3)
  expect(stderr).toContain('APP_KEY and APP_KEY_FILE are both set. Leave one of them out.\n')
  expect(stderr).not.toContain('put their key back')
  expect(stderr).not.toMatch(freshKey)
})

test('every command asks for the old APP_KEY even when other settings are wrong', async () => {
  const { setting } = await withAccount()
  const settings = { ...setting, PORT: '70000', MAIL_HOST: 'smtp.example.com' }
  const commands = [[], ['jobs'], ['migrate'], ['doctor'], ['doctor', '--json']]
  const results = await Promise.all(commands.map((args) => run(args, { settings })))
  const outputs = results.map(({ stdout, stderr }) => stdout + stderr)
  expect(results.map(({ code }) => code)).toEqual([3, 3, 3, 3, 3])
  expect(outputs.filter((text) => !text.includes('has accounts, so put their key back'))).toEqual(
    [],
  )
  expect(outputs.filter((text) => !text.includes('PORT is'))).toEqual([])
  expect(outputs.filter((text) => freshKey.test(text))).toEqual([])
})

test('a start that cannot tell its database asks for the old key in case there are accounts', async () => {
  const folder = emptyFolder()
  writeFileSync(join(folder, '.env'), `${addresses.setting} somewhere\n`)
  const { stderr } = await run([], { folder, settings: { [addresses.setting]: '' } })
  expect(stderr).toContain('If the database has accounts, put their key back')
  expect(stderr).not.toMatch(freshKey)
})

test('a start without accounts suggests a new APP_KEY', async () => {
  const { address } = await temporaryDatabase()
  const databasesWithoutAccounts = [address, await unusedAddress()]
  const results = await Promise.all(
    databasesWithoutAccounts.map((address) => run([], { settings: settingOf(address) })),
  )
  expect(results.filter(({ stderr }) => !freshKey.test(stderr))).toEqual([])
})
