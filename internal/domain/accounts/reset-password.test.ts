import { expect, test } from 'vitest'
import { browserFacts } from '../../testing/browser-facts.ts'
import { hashedThen } from '../../testing/meanwhile.ts'
import { tokenIn } from '../../testing/mails.ts'
import { ann } from '../../testing/people.ts'
import { addKeys, countKeys, verifyEmails } from '../../testing/database/rows.ts'
import { withAnn } from '../../testing/with-ann.ts'
import { resetLink, resetPassword } from './reset-password.ts'

test('a reset keeps passkeys and tokens if the email was verified while the password was hashed', async () => {
  const { app, user } = await withAnn()
  await addKeys(app.db, app.now())
  const before = await countKeys(app.db)
  const token = tokenIn(resetLink(app, user).link)
  const form = { email: ann.email, token, password: 'another word' }
  const verifying = hashedThen(app, () => verifyEmails(app.db, app.now()))
  expect(await resetPassword(verifying, form, browserFacts())).toMatchObject({ keys: 'kept' })
  expect(await countKeys(app.db)).toEqual(before)
})
