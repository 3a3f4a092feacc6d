import { randomBytes } from 'node:crypto'
import { addUsers } from '#testing/many-users'
import { expect, test } from 'vitest'
import { makeKeys } from '../../base/crypto/keys.ts'
import { newSecret } from '../../base/crypto/totp.ts'
import { addUser, ann, keyOf, logInAs } from '../../testing/database/user-rows.ts'
import { allUsers } from '../../testing/database/rows.ts'
import { testApp, type TestApp } from '../../testing/test-app.ts'
import { codeAt } from '../../testing/totp.ts'
import { checkCode } from './check-code.ts'
import { sealAgain } from './seal-again.ts'
import { turnOn } from './turn-on.ts'

const [older, newer] = [randomBytes(32), randomBytes(32)]
const running = new AbortController().signal

/** Returns the same app as after a start with these keys. */
function startedWith(app: TestApp, ...keys: [Buffer, ...Buffer[]]): TestApp {
  return { ...app, keys: makeKeys(keys), config: { ...app.config, keys } }
}

/** Turns two-factor login on for that many users, who all have the same secret. */
async function turnOnFor(app: TestApp, users: number): Promise<string> {
  const secret = newSecret()
  for (let i = 0; i < users; i++) {
    const user = await addUser(app.db, { ...ann, email: `${i}@x.test`, emailKey: `${i}@x.test` })
    const login = await logInAs(app, user)
    await turnOn(app, login, { secret, code: codeAt(secret, app.now()) })
  }
  await app.pass({ minutes: 1 })
  return secret
}

function logged(app: TestApp): unknown[] {
  return app.logLines.map(({ level, message, facts }) => [level, message, facts.values])
}

test('values sealed with an older key are sealed again with the first, and open without the older one', async () => {
  const app = startedWith(await testApp(), older)
  const secret = await turnOnFor(app, 2)
  await sealAgain(startedWith(app, newer, older), running)
  const rotated = startedWith(app, newer)
  const users = await allUsers(app.db)
  const opened = users.map(({ id, twoFactorSecret, recoveryCodes }) => [
    rotated.keys.open('totp', `totp:${id}`, twoFactorSecret ?? '')?.text,
    rotated.keys.open('recovery', `recovery:${id}`, recoveryCodes ?? '')?.text.length,
  ])
  const submitted = { code: codeAt(secret, app.now()) }
  const tried = await checkCode(rotated, { id: 1 }, submitted, async () => 'in')
  expect(opened).toEqual([
    [secret, 8 * 14 + 1],
    [secret, 8 * 14 + 1],
  ])
  expect(tried).toEqual({ result: 'right', outcome: 'in' })
  expect(logged(app)).toEqual([['info', 'two-factor values sealed again', 4]])
})

test('an older key opens a value until it is sealed again', async () => {
  const app = startedWith(await testApp(), older)
  const submitted = { code: codeAt(await turnOnFor(app, 1), app.now()) }
  const tried = await checkCode(
    startedWith(app, newer, older),
    { id: 1 },
    submitted,
    async () => 'in',
  )
  expect(tried.result).toBe('right')
})

test('values sealed with the first key are left as they are, with one key or with several', async () => {
  const app = startedWith(await testApp(), older)
  await turnOnFor(app, 1)
  const before = await allUsers(app.db)
  await sealAgain(app, running)
  expect(app.logLines).toEqual([])
  await sealAgain(startedWith(app, older, newer), running)
  expect(await allUsers(app.db)).toEqual(before)
  // With several keys, an operator waits for this line before one of them is dropped.
  expect(logged(app)).toEqual([['info', 'two-factor values sealed again', 0]])
})

test('more users than one batch holds are all sealed again', async () => {
  const app = startedWith(await testApp(), older)
  await turnOnFor(app, 205)
  await sealAgain(startedWith(app, newer, older), running)
  const { keys } = startedWith(app, newer)
  const users = await allUsers(app.db)
  const opened = users.filter(
    ({ id, twoFactorSecret }) =>
      keys.open('totp', `totp:${id}`, twoFactorSecret ?? '') !== undefined,
  )
  expect(opened).toHaveLength(205)
})

test('four instances that start at once seal every value again and lose none', async () => {
  const app = startedWith(await testApp(), older)
  const secret = await turnOnFor(app, 20)
  const rotated = startedWith(app, newer, older)
  await Promise.all(Array.from({ length: 4 }, () => sealAgain(rotated, running)))
  const { keys } = startedWith(app, newer)
  const users = await allUsers(app.db)
  const opened = users.map(
    ({ id, twoFactorSecret }) => keys.open('totp', `totp:${id}`, twoFactorSecret ?? '')?.text,
  )
  expect(opened).toEqual(users.map(() => secret))
})

test('values that no key opens are left as they are and logged, and the others are sealed again', async () => {
  const app = startedWith(await testApp(), randomBytes(32))
  await turnOnFor(app, 1)
  const bob = await addUser(app.db)
  const secret = newSecret()
  const earlier = startedWith(app, older)
  await turnOn(earlier, await logInAs(app, bob), { secret, code: codeAt(secret, app.now()) })
  const [before] = await allUsers(app.db)
  await sealAgain(startedWith(app, newer, older), running)
  const [after] = await allUsers(app.db)
  expect(after).toEqual(before)
  expect(logged(app)).toEqual([
    ['info', 'two-factor values sealed again', 2],
    ['error', 'two-factor values that no key opens', 2],
  ])
})

test('values that a single key cannot open are logged', async () => {
  const app = startedWith(await testApp(), older)
  await turnOnFor(app, 1)
  await sealAgain(startedWith(app, newer), running)
  expect(logged(app)).toEqual([['error', 'two-factor values that no key opens', 2]])
})

test('an aborted run of sealing again ends after its batch, and the next start continues', async () => {
  const app = startedWith(await testApp(), older)
  await turnOnFor(app, 150)
  await sealAgain(startedWith(app, newer, older), AbortSignal.abort())
  await sealAgain(startedWith(app, newer, older), running)
  expect(logged(app)).toEqual([
    ['info', 'sealing two-factor values again was stopped', 200],
    ['info', 'two-factor values sealed again', 100],
  ])
})

test('a run aborted before its last batch does not say that it is done, and one aborted during it does', async () => {
  const app = startedWith(await testApp(), older)
  await turnOnFor(app, 101)
  await sealAgain(startedWith(app, older, newer), AbortSignal.abort())
  expect(logged(app)).toEqual([])
  const smallApp = startedWith(await testApp(), older)
  await turnOnFor(smallApp, 1)
  await sealAgain(startedWith(smallApp, newer, older), AbortSignal.abort())
  expect(logged(smallApp)).toEqual([['info', 'two-factor values sealed again', 2]])
})

test('sealing again lets other work run even when there is nothing to seal', async () => {
  const app = startedWith(await testApp(), older)
  await turnOnFor(app, 150)
  let turns = 0
  const timer = setInterval(() => (turns += 1), 0)
  await sealAgain(startedWith(app, older, newer), running)
  clearInterval(timer)
  expect(turns).toBeGreaterThan(0)
})

/** Counts turns of the event loop, until the returned function asks for the count. */
function turnsOfOthers(): () => number {
  let [turns, isOver] = [0, false]
  const turn = () => {
    turns += 1
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  return () => {
    isOver = true
    return turns
  }
}

test('many users are looked through in batches, and those at the end are sealed again', async () => {
  const app = startedWith(await testApp(), older)
  const now = app.now()
  await addUsers(app.db, { users: 25_000, hash: '', now, endsAt: now, browser: keyOf('x') })
  const turns = turnsOfOthers()
  await sealAgain(app, running)
  expect(turns()).toBeGreaterThanOrEqual(3)
  await turnOnFor(app, 1)
  await sealAgain(startedWith(app, newer, older), running)
  expect(logged(app)).toEqual([['info', 'two-factor values sealed again', 2]])
})
