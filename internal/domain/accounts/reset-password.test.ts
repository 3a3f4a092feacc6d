import { expect, test } from 'vitest'
import { browserFacts } from '../../testing/browser-facts.ts'
import { afterPasswordHash } from '../../testing/app-hooks.ts'
import { tokenIn } from '../../testing/mails.ts'
import { ann } from '../../testing/people.ts'
import {
  addPasskeysAndTokens,
  countPasskeysAndTokens,
  verifyEmails,
} from '../../testing/database/rows.ts'
import { appWithAnn } from '../../testing/app-with-ann.ts'
import { resetLink, resetPassword } from './reset-password.ts'

test('a reset keeps passkeys and tokens if the email was verified while the password was hashed', async () => {
  const { app, user } = await appWithAnn()
  await addPasskeysAndTokens(app.db, app.now())
  const before = await countPasskeysAndTokens(app.db)
  const token = tokenIn(resetLink(app, user).link)
  const form = { email: ann.email, token, password: 'another word' }
  const verifying = afterPasswordHash(app, () => verifyEmails(app.db, app.now()))
  expect(await resetPassword(verifying, form, browserFacts())).toMatchObject({ keys: 'kept' })
  expect(await countPasskeysAndTokens(app.db)).toEqual(before)
})
