import { appName } from '../../../../web/contract/name.ts'
import { addresses } from '#db/address'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { addUser, ann as added } from '../../../../internal/testing/database/user-rows.ts'
import { executable } from '../../../../internal/testing/processes/build.ts'
import {
  noon,
  settingOf,
  temporaryDatabase,
} from '../../../../internal/testing/database/database.ts'
import { requiredSettings } from '../../../../internal/testing/processes/executable.ts'
import { setUserNames } from '../../../../internal/testing/database/rows.ts'
import { usersWithoutServer } from '../../../../internal/testing/database/users-without-server.ts'

test('users list shows the newest users first and filters them by a search text', async () => {
  const { db, users } = await usersWithoutServer()
  expect(await users('list')).toMatchObject({ code: 0, stdout: 'There are no users yet.\n' })
  await addUser(db)
  await addUser(db, { ...added, name: 'Bob', email: 'bob@x.test', emailKey: 'bob@x.test' })
  const table = await users('list')
  const matches = await users('list', '--search', 'BOB@', '--json')
  const noMatch = await users('list', '--search', 'carol')
  const longSearch = await users('list', '--search', 'x'.repeat(60_000))
  expect(table).toEqual({
    code: 0,
    stdout: [
      'ID  EMAIL            CREATED               LAST SEEN  VERIFIED  2FA  PASSWORD  PASSKEYS  NAME\n',
      '2   bob@x.test       2026-11-21T12:00:00Z             no        off  yes       0         Bob\n',
      '1   Ann@example.com  2026-11-21T12:00:00Z             no        off  yes       0         Ann\n',
    ].join(''),
    stderr: '',
  })
  expect(JSON.parse(matches.stdout)).toMatchObject([{ id: 2, createdAt: noon.toISOString() }])
  expect(noMatch.stdout).toBe('No user has "carol" in name or email.\n')
  expect(longSearch).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^No user has "xx/),
    stderr: '',
  })
})

test('users list and show say as JSON whether an account has a password by true or false, however many accounts there are', async () => {
  const { db, users } = await usersWithoutServer()
  for (let i = 1; i <= 30; i++)
    await addUser(db, { ...added, email: `${i}@x.test`, emailKey: `${i}@x.test` })
  const list = JSON.parse((await users('list', '--json')).stdout) as object[]
  const one = JSON.parse((await users('show', '7', '--json')).stdout) as object
  const facts = { twoFactor: false, password: true }
  expect([one, ...list]).toEqual(Array.from({ length: 31 }, () => expect.objectContaining(facts)))
})

test('users list shows each email next to its ID and in full on an 80-column terminal', async () => {
  const { db, users } = await usersWithoutServer()
  const longEmail = `${'x'.repeat(48)}@example.com`
  await addUser(db, { ...added, name: 'n'.repeat(60), email: longEmail, emailKey: longEmail })
  await addUser(db)
  const { stdout } = await users('list')
  const visibleColumns = stdout.split('\n').map((line) => line.slice(0, 80))
  expect(visibleColumns[1]).toMatch(/^2 +Ann@example\.com /)
  expect(visibleColumns[2]).toContain(`1   ${longEmail} `)
})

test('users list shows 100 users and points to --all, which shows every user', async () => {
  const { db, users } = await usersWithoutServer()
  for (let i = 1; i <= 101; i++)
    await addUser(db, { ...added, email: `${i}@x.test`, emailKey: `${i}@x.test` })
  const newest = await users('list', '--json')
  const everyUser = await users('list', '--json', '--all')
  expect(JSON.parse(newest.stdout)).toHaveLength(100)
  expect(newest.stderr).toContain('--all')
  expect(JSON.parse(everyUser.stdout)).toHaveLength(101)
  expect(everyUser.stderr).toBe('')
})

test.skipIf(!existsSync('/dev/full'))('users list fails if output cannot be written', async () => {
  const { address } = await temporaryDatabase()
  const settings = { ...(await requiredSettings()), ...settingOf(address) }
  const fullDevice = openSync('/dev/full', 'w')
  const stdio = ['ignore', fullDevice, 'pipe'] as const
  const child = spawn(executable, ['users', 'list'], { stdio: [...stdio], env: settings })
  closeSync(fullDevice)
  const [stderr, [code]] = await Promise.all([text(child.stderr as Readable), once(child, 'close')])
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining(`${appName}: The list could not be written: ENO`),
  ])
})

test('users list and users show give the members of an account in the same order with each database', async () => {
  const { db, users } = await usersWithoutServer()
  await addUser(db)
  const [listed, shown] = [await users('list', '--json'), await users('show', '1', '--json')]
  const [account = {}] = JSON.parse(listed.stdout) as object[]
  const facts = JSON.parse(shown.stdout) as object
  const names =
    'id name email emailVerifiedAt createdAt twoFactor password passkeys lastSeenAt'.split(' ')
  expect(Object.keys(account)).toEqual(names)
  expect(Object.keys(facts).slice(0, names.length)).toEqual(names)
})

// A database server refuses such a value, the embedded one stores any in any column.
test.runIf(addresses.setting === 'DB_PATH')(
  'a value of another type than its column is reported with table, row and column',
  async () => {
    const { db, users } = await usersWithoutServer()
    await addUser(db)
    await setUserNames(db, Buffer.from('Ann'))
    const outcomes = [await users('list'), await users('show', '1'), await users('logout', '1')]
    const stderr = `${appName}: In the row of users with the ID 1 name is no text. Correct it in the database, or restore a backup.\n`
    expect(outcomes).toEqual(outcomes.map(() => ({ code: 1, stdout: '', stderr })))
  },
)
