import { expect, test } from 'vitest'
import { errorWords } from '#words/errors'
import { emailKey } from '../../base/email.ts'
import { ann, bob, registered, registration } from '../../testing/people.ts'
import { allUsers } from '../../testing/rows.ts'
import { testApp } from '../../testing/test-app.ts'

// Two keys, and one email to the collation of the column.
const [plain, alike] = ['ana@x.test', 'ａna@x.test']

test('an email that differs from another in letters which only its collation takes for the same is taken, as it tells', async () => {
  expect(emailKey(alike)).not.toBe(emailKey(plain))
  const app = await testApp()
  await registered(app, { ...ann, email: plain })
  const other = await app.browser().post('/register', registration({ ...bob, email: alike }))
  const browser = await registered(app, bob)
  const form = { _method: 'PATCH', name: bob.name, email: alike }
  const saved = await browser.post('/settings/profile', form)
  expect([other.status, other.errors]).toEqual([200, { email: errorWords.taken }])
  expect([saved.status, saved.errors]).toEqual([200, { email: errorWords.takenByOther }])
  expect((await allUsers(app.db)).map(({ email }) => email)).toEqual([plain, bob.email])
})

test('so it is told as the field is left, before a passkey is made for it', async () => {
  const app = await testApp()
  await registered(app, { ...ann, email: plain })
  const form = registration({ ...bob, email: alike })
  const left = await app.browser().validate('/register', form, ['email'])
  expect([left.status, left.json]).toEqual([422, { errors: { email: errorWords.taken } }])
})
