import { expect, test } from 'vitest'
import { ann, registeredBrowser } from '../../testing/people.ts'
import { addPasskeysAndTokens, turnOnTwoFactor, verifyEmails } from '../../testing/database/rows.ts'
import { testApp } from '../../testing/test-app.ts'

test('the dashboard counts the passkeys, and the recovery codes once two-factor login is on', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  await verifyEmails(app.db, app.now())
  const { props: before } = (await browser.get('/dashboard')).page
  await addPasskeysAndTokens(app.db, app.now())
  await turnOnTwoFactor(app.db)
  const { props: after } = (await browser.get('/dashboard')).page
  expect(before).toMatchObject({ passkeys: 0, codesLeft: null })
  expect(after).toMatchObject({ passkeys: 1, codesLeft: 0 })
})
