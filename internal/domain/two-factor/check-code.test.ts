import { expect, test } from 'vitest'
import { newSecret } from '../../base/crypto/totp.ts'
import { users } from '#db/users'
import { addUser, ann, logInAs } from '../../testing/database/user-rows.ts'
import { allUsers } from '../../testing/database/rows.ts'
import { testApp, type TestApp } from '../../testing/test-app.ts'
import { codeAt, wrongCodeAt } from '../../testing/totp.ts'
import { checkCode, type SubmittedCode } from './check-code.ts'
import { codesLeft, renewCodes } from './codes.ts'
import { turnOff } from './turn-off.ts'
import { turnOn } from './turn-on.ts'

/** Returns somebody who turned two-factor login on a minute ago. */
async function turnedOn(app: TestApp, person = ann) {
  const user = await addUser(app.db, person)
  const secret = newSecret()
  const login = await logInAs(app, user)
  const turned = await turnOn(app, login, { secret, code: codeAt(secret, app.now()) })
  if (turned.result !== 'on') throw new Error('it was not turned on')
  await app.pass({ minutes: 1 })
  const check = (submitted: SubmittedCode) =>
    checkCode(app, user, submitted, async (_, { name }) => name)
  const code = () => codeAt(secret, app.now())
  const wrong = () => check({ code: wrongCodeAt(secret, app.now()) })
  return { user, login, secret, check, code, wrong, recoveryCodes: turned.codes }
}

/** Enters that many wrong codes, five a minute. */
async function giveWrong(app: TestApp, wrong: () => Promise<{ result: string }>, times: number) {
  const results: string[] = []
  for (let i = 0; i < times; i++) {
    if (i % 5 === 0) await app.pass({ minutes: 1 })
    results.push((await wrong()).result)
  }
  return results
}

function countsOf(tries: { result: string }[]): Record<string, number> {
  const groups = Map.groupBy(tries, ({ result }) => result)
  return Object.fromEntries([...groups].map(([result, group]) => [result, group.length]))
}

async function failing(): Promise<string> {
  throw new Error('no login was kept')
}

const right = { result: 'right', outcome: 'Ann' }
const wrong = { result: 'wrong' }

test('each code is accepted once', async () => {
  const app = await testApp()
  const { check, code } = await turnedOn(app)
  const first = await check({ code: code() })
  const again = await check({ code: code() })
  await app.pass({ seconds: 30 })
  const next = await check({ code: code() })
  expect([first, again, next]).toEqual([right, wrong, right])
})

test('the code that turned on two-factor login is not accepted for a login', async () => {
  const app = await testApp()
  const { check, secret } = await turnedOn(app)
  await app.pass({ minutes: -1 })
  expect(await check({ code: codeAt(secret, app.now()) })).toEqual(wrong)
})

test('a code of an earlier step is wrong once a later one was used', async () => {
  const app = await testApp()
  const { check, code, secret } = await turnedOn(app)
  const before = codeAt(secret, new Date(app.now().getTime() - 30_000))
  const later = await check({ code: code() })
  expect([later, await check({ code: before })]).toEqual([right, wrong])
})

test('of twenty simultaneous uses of a code one is right, four are wrong and 15 have to wait', async () => {
  const app = await testApp()
  const { check, code } = await turnedOn(app)
  const submitted = { code: code() }
  const tries = await Promise.all(Array.from({ length: 20 }, () => check(submitted)))
  expect(countsOf(tries)).toEqual({ right: 1, wrong: 4, wait: 15 })
})

test('of twenty simultaneous uses of a recovery code one is right, four are wrong and 15 have to wait', async () => {
  const app = await testApp()
  const { check, recoveryCodes } = await turnedOn(app)
  const submitted = { recoveryCode: recoveryCodes[3] ?? '' }
  const tries = await Promise.all(Array.from({ length: 20 }, () => check(submitted)))
  expect(countsOf(tries)).toEqual({ right: 1, wrong: 4, wait: 15 })
})

test('a recovery code is accepted once, whatever its case and dash, and the others remain', async () => {
  const app = await testApp()
  const { check, recoveryCodes } = await turnedOn(app)
  const [first = '', second = ''] = recoveryCodes
  const tries = [
    await check({ recoveryCode: first }),
    await check({ recoveryCode: first }),
    await check({ recoveryCode: second.toUpperCase().replace('-', ' ') }),
    await check({ recoveryCode: 'aaaaa-aaaaa' }),
  ]
  const [user] = await allUsers(app.db)
  expect(tries).toEqual([right, wrong, right, wrong])
  expect(user && codesLeft(app, user)).toBe(6)
})

test('two recovery codes used at once are both accepted and both used up', async () => {
  const app = await testApp()
  const { check, recoveryCodes } = await turnedOn(app)
  const [first = '', second = ''] = recoveryCodes
  const tries = [check({ recoveryCode: first }), check({ recoveryCode: second })]
  expect(await Promise.all(tries)).toEqual([right, right])
  const [user] = await allUsers(app.db)
  expect(user && codesLeft(app, user)).toBe(6)
})

test('a replaced recovery code is wrong, and a code cannot be used as a recovery code or the reverse', async () => {
  const app = await testApp()
  const { login, check, code, recoveryCodes } = await turnedOn(app)
  await renewCodes(app, login)
  const tries = [
    await check({ recoveryCode: recoveryCodes[0] ?? '' }),
    await check({ recoveryCode: code() }),
    await check({ code: recoveryCodes[0] ?? '' }),
    await check({ recoveryCode: '' }),
    await check({ code: '' }),
  ]
  expect(tries).toEqual([wrong, wrong, wrong, wrong, wrong])
})

test('every code is wrong while two-factor login is off or when the user is gone', async () => {
  const app = await testApp()
  const { login, check, code, recoveryCodes } = await turnedOn(app)
  await turnOff(app, login)
  const off = [await check({ code: code() }), await check({ recoveryCode: recoveryCodes[0] ?? '' })]
  const gone = await checkCode(app, { id: 99 }, { code: code() }, async () => 'somebody')
  expect([...off, gone]).toEqual([wrong, wrong, wrong])
})

test('a code of one user is wrong for another', async () => {
  const app = await testApp()
  const ours = await turnedOn(app)
  const bob = await turnedOn(app, {
    ...ann,
    name: 'Bob',
    email: 'bob@example.com',
    emailKey: 'bob@example.com',
  })
  const tries = [
    await bob.check({ code: ours.code() }),
    await bob.check({ recoveryCode: ours.recoveryCodes[0] ?? '' }),
  ]
  expect(tries).toEqual([wrong, wrong])
})

test('a code is not used up if the work it permits fails', async () => {
  const app = await testApp()
  const { user, check, code, recoveryCodes } = await turnedOn(app)
  const recoveryCode = recoveryCodes[0] ?? ''
  await expect(checkCode(app, user, { code: code() }, failing)).rejects.toThrow('no login')
  await expect(checkCode(app, user, { recoveryCode }, failing)).rejects.toThrow('no login')
  expect([await check({ code: code() }), await check({ recoveryCode })]).toEqual([right, right])
})

test('the work that a right code permits runs in its transaction, with the current user', async () => {
  const app = await testApp()
  const { user, code } = await turnedOn(app)
  const tried = await checkCode(app, user, { code: code() }, async (tx, { id }) => {
    const current = await users.byId(tx, id)
    return current?.twoFactorStep
  })
  expect(tried).toEqual({ result: 'right', outcome: expect.any(Number) })
  expect((await allUsers(app.db))[0]).toMatchObject({
    twoFactorStep: 'outcome' in tried && tried.outcome,
  })
})

test('five codes a minute are checked, and a right one does not reset the count', async () => {
  const app = await testApp()
  const { check, code, wrong } = await turnedOn(app)
  for (let i = 0; i < 4; i++) await wrong()
  const fifth = await check({ code: code() })
  await app.pass({ seconds: 30 })
  const sixth = await check({ code: code() })
  await app.pass({ seconds: 30 })
  const nextMinute = await check({ code: code() })
  expect([fifth, sixth, nextMinute]).toEqual([right, { result: 'wait', seconds: 30 }, right])
})

test('after a hundred wrong codes in a day even a right one has to wait until the day is over', async () => {
  const app = await testApp()
  const { check, code, wrong } = await turnedOn(app)
  const start = app.now().getTime() + 60_000
  const results = await giveWrong(app, wrong, 100)
  await app.pass({ minutes: 1 })
  const tried = await check({ code: code() })
  const passed = (app.now().getTime() - start) / 1000
  await app.pass({ days: 1, minutes: -20 })
  const nextDay = await check({ code: code() })
  expect(new Set(results)).toEqual(new Set(['wrong']))
  expect(tried).toEqual({ result: 'wait', seconds: 24 * 60 * 60 - passed })
  expect(nextDay).toEqual(right)
})

test('codes that the minute limit turns away do not count among the hundred of the day', async () => {
  const app = await testApp()
  const { check, code, wrong } = await turnedOn(app)
  const tries = await Promise.all(Array.from({ length: 105 }, wrong))
  await app.pass({ minutes: 1 })
  expect(countsOf(tries)).toEqual({ wrong: 5, wait: 100 })
  expect(await check({ code: code() })).toEqual(right)
})

test('a right code does not count among the hundred wrong codes of the day, and does not reset them', async () => {
  const app = await testApp()
  const { check, code, wrong } = await turnedOn(app)
  await giveWrong(app, wrong, 98)
  const tries: string[] = []
  for (let i = 0; i < 5; i++) {
    await app.pass({ minutes: 1 })
    tries.push((await check({ code: code() })).result)
  }
  await app.pass({ minutes: 1 })
  const last = [await wrong(), await wrong(), await wrong()].map(({ result }) => result)
  expect(tries).toEqual(['right', 'right', 'right', 'right', 'right'])
  expect(last).toEqual(['wrong', 'wrong', 'wait'])
})

test('the tries of one user do not count for another', async () => {
  const app = await testApp()
  const ours = await turnedOn(app)
  const bob = await turnedOn(app, {
    ...ann,
    name: 'Bob',
    email: 'bob@example.com',
    emailKey: 'bob@example.com',
  })
  for (let i = 0; i < 6; i++) await ours.wrong()
  expect(await bob.check({ code: bob.code() })).toEqual({ result: 'right', outcome: 'Bob' })
})

test('a code cannot be checked when no key opens the secret or the recovery codes', async () => {
  const app = await testApp()
  const { user, code, recoveryCodes } = await turnedOn(app)
  const { keys } = await testApp()
  const check = (submitted: SubmittedCode) =>
    checkCode({ ...app, keys }, user, submitted, async () => 'somebody')
  const tried = [
    await check({ code: code() }),
    await check({ recoveryCode: recoveryCodes[0] ?? '' }),
  ]
  expect(tried).toEqual([{ result: 'lost' }, { result: 'lost' }])
})
