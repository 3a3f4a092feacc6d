import { expect, test } from 'vitest'
import { newSecret } from '../../base/crypto/totp.ts'
import { users } from '#db/users'
import { addUser, logInAs } from '../../testing/database/user-rows.ts'
import { testApp } from '../../testing/test-app.ts'
import { codeAt } from '../../testing/totp.ts'
import { codesLeft, readCodes, renewCodes } from './codes.ts'
import { turnOn } from './turn-on.ts'

async function turnedOn() {
  const app = await testApp()
  const added = await addUser(app.db)
  const { id } = added
  const secret = newSecret()
  const login = await logInAs(app, added)
  const turned = await turnOn(app, login, { secret, code: codeAt(secret, app.now()) })
  if (turned.result !== 'on') throw new Error('it was not turned on')
  const user = async () => {
    const user = await users.byId(app.db, id)
    if (!user) throw new Error('the user is gone')
    return user
  }
  return { app, user, login, codes: turned.codes }
}

test('the remaining recovery codes can be read and counted', async () => {
  const { app, user, codes } = await turnedOn()
  expect(readCodes(app, await user())).toEqual(codes)
  expect(codesLeft(app, await user())).toBe(8)
})

test('new recovery codes replace all the old ones', async () => {
  const { app, user, login, codes } = await turnedOn()
  const renewed = await renewCodes(app, login)
  const kept = readCodes(app, await user())
  expect(renewed).toEqual({ result: 'made', codes: kept })
  expect(kept).toHaveLength(8)
  expect(codes.filter((code) => kept.includes(code))).toEqual([])
})

test('while two-factor login is off there are no recovery codes, and none can be created', async () => {
  const app = await testApp()
  const user = await addUser(app.db)
  expect([readCodes(app, user), codesLeft(app, user)]).toEqual([[], 0])
  expect(await renewCodes(app, await logInAs(app, user))).toEqual({ result: 'off' })
  expect(await users.byId(app.db, user.id)).toEqual({ ...user, lastLanguage: 'en' })
})

test('recovery codes that no key opens count as none', async () => {
  const app = await testApp()
  const user = { id: 7, recoveryCodes: 'not sealed' }
  expect([readCodes(app, user), codesLeft(app, user)]).toEqual([[], 0])
})
