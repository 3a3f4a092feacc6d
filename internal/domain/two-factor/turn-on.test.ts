import { expect, test } from 'vitest'
import { newSecret } from '../../base/crypto/totp.ts'
import { addUser, logInAs } from '../../testing/database/user-rows.ts'
import { beforeNextTransaction } from '../../testing/app-hooks.ts'
import { allUsers, setPasswordHash } from '../../testing/database/rows.ts'
import { testApp } from '../../testing/test-app.ts'
import { codeAt, stepAt, wrongCodeAt } from '../../testing/totp.ts'
import { turnOff } from './turn-off.ts'
import { turnOn } from './turn-on.ts'

async function settingUp() {
  const app = await testApp()
  const user = await addUser(app.db)
  const login = await logInAs(app, user)
  const secret = newSecret()
  const code = codeAt(secret, app.now())
  return { app, user, login, secret, code }
}

test('a right code turns on two-factor login and returns eight recovery codes', async () => {
  const { app, login, secret, code } = await settingUp()
  const turned = await turnOn(app, login, { secret, code })
  const codes = Array.from({ length: 8 }, () => expect.stringMatching(/^\w{5}-\w{5}$/))
  expect(turned).toEqual({ result: 'on', codes })
  expect((await allUsers(app.db))[0]?.twoFactorStep).toBe(stepAt(app.now()))
})

test('the secret and the recovery codes are stored sealed, each for its purpose and its user', async () => {
  const { app, user, login, secret, code } = await settingUp()
  const turned = await turnOn(app, login, { secret, code })
  const [kept] = await allUsers(app.db)
  const { twoFactorSecret, recoveryCodes } = kept ?? user
  const opened = [
    app.keys.open('totp', `totp:${user.id}`, twoFactorSecret ?? ''),
    app.keys.open('recovery', `recovery:${user.id}`, recoveryCodes ?? ''),
    app.keys.open('totp', 'totp:99', twoFactorSecret ?? ''),
    app.keys.open('recovery', `totp:${user.id}`, twoFactorSecret ?? ''),
  ]
  expect(turned).toMatchObject({ codes: JSON.parse(opened[1]?.text ?? '') })
  expect(opened).toMatchObject([{ text: secret }, { stale: false }, undefined, undefined])
  expect(JSON.stringify(kept)).not.toContain(secret)
})

test('a wrong code does not turn on two-factor login', async () => {
  const { app, login, secret } = await settingUp()
  const turned = await turnOn(app, login, { secret, code: wrongCodeAt(secret, app.now()) })
  expect(turned).toEqual({ result: 'wrong' })
  expect(await allUsers(app.db)).toMatchObject([{ twoFactorSecret: null, recoveryCodes: null }])
})

test('a login that ends during the check of its code does not turn on two-factor login', async () => {
  const { app, login, secret, code } = await settingUp()
  const changed = beforeNextTransaction(app, () => setPasswordHash(app.db, 'another hash'))
  const turned = await turnOn(changed, login, { secret, code })
  const [kept] = await allUsers(app.db)
  expect([turned, kept?.twoFactorSecret]).toEqual([{ result: 'ended' }, null])
})

test('one of twenty simultaneous attempts turns on two-factor login, and its codes are the stored ones', async () => {
  const { app, user, login, secret, code } = await settingUp()
  const tries = Array.from({ length: 20 }, () => turnOn(app, login, { secret, code }))
  const turned = await Promise.all(tries)
  const [kept] = await allUsers(app.db)
  const opened = app.keys.open('recovery', `recovery:${user.id}`, kept?.recoveryCodes ?? '')
  expect(turned.filter(({ result }) => result === 'on')).toEqual([
    { result: 'on', codes: JSON.parse(opened?.text ?? '') },
  ])
  expect(turned.filter(({ result }) => result === 'already on')).toHaveLength(19)
})

test('turning off two-factor login deletes secret, codes and step, and reports whether it was on', async () => {
  const { app, user, login, secret, code } = await settingUp()
  await turnOn(app, login, { secret, code })
  const turned = [await turnOff(app, login), await turnOff(app, login)]
  expect(turned).toEqual([{ result: 'off' }, { result: 'was off' }])
  expect(await allUsers(app.db)).toEqual([{ ...user, lastLanguage: 'en' }])
})
