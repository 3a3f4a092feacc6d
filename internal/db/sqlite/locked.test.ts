import { expect, onTestFinished, test } from 'vitest'
import { errorPages } from '#words/error'
import { apiErrors } from '../../../web/contract/words/api.ts'
import { ann, bob, registeredBrowser, registration } from '../../testing/people.ts'
import { callApi, appWithToken } from '../../testing/tokens.ts'
import { fileOf } from './address.ts'
import { openWriter } from './connection.ts'

test('while another process locks the database, pages are shown, and changes and API calls get a 503', async () => {
  const { app, token } = await appWithToken()
  const browser = await registeredBrowser(app, bob)
  await app.awaitWrites()
  const other = await openWriter(fileOf(app.config.database), 5000)
  onTestFinished(() => void other.close())
  other.exec('BEGIN IMMEDIATE')
  const refused = Promise.all([
    app.browser().post('/register', registration(ann)),
    callApi(app, `Bearer ${token}`),
  ])
  expect((await browser.get('/verify-email')).user?.name).toBe(bob.name)
  const [form, call] = await refused
  expect([form.status, form.headers['retry-after'], form.page.props['message']]).toEqual([
    503,
    '5',
    errorPages.away.text,
  ])
  expect([call.status, call.headers['retry-after'], call.json]).toEqual([
    503,
    '5',
    { message: apiErrors.away },
  ])
  other.exec('ROLLBACK')
  expect((await callApi(app, `Bearer ${token}`)).status).toBe(200)
})
