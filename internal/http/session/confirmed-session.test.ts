import { expect, test } from 'vitest'
import { flashWords } from '#words/flash'
import { ann } from '../../testing/people.ts'
import { allSessions } from '#testing/rows'
import { copyOf } from '../../testing/sessions.ts'
import { testApp } from '../../testing/test-app.ts'
import { verifiedBrowser } from '../../testing/two-factor.ts'
import type { Config } from '../../base/settings/config.ts'

// Whoever copied the cookie before must not get the confirmation along with the browser that it is made in.

const stay = { stay: true }
const password = { password: ann.password }
const stores = ['cookie', 'database'] as const

/** Returns Ann's browser, whose confirmation has lapsed, and a copy of it. */
async function lapsed(config: Partial<Config>) {
  const app = await testApp({ config })
  const browser = await verifiedBrowser(app)
  await app.pass({ hours: 1, minutes: 30 })
  await browser.get('/dashboard')
  await app.pass({ hours: 1, minutes: 30 })
  await browser.get('/settings/tokens')
  return { app, browser, copy: copyOf(app, browser) }
}

test.each(stores)(
  'a copy of the cookie from before a confirmation is not confirmed: %s',
  async (sessionStore) => {
    const { browser, copy } = await lapsed({ sessionStore })
    const confirmed = await browser.post('/confirm-password', password)
    expect(confirmed.component).toBe('Settings/Tokens')
    expect((await copy.get('/settings/tokens', stay)).status).toBe(303)
    expect((await browser.get('/settings/tokens')).component).toBe('Settings/Tokens')
  },
)

test.each(stores)(
  'a form with a copy of the cookie that arrives during a confirmation is not confirmed: %s',
  async (sessionStore) => {
    const { browser, copy } = await lapsed({ sessionStore })
    await copy.post(
      '/settings/profile',
      { _method: 'PATCH', name: 'Ann', email: ann.email },
      { ...stay, beforeBody: () => browser.post('/confirm-password', password) },
    )
    expect((await copy.get('/settings/tokens', stay)).status).toBe(303)
    expect((await browser.get('/settings/tokens')).component).toBe('Settings/Tokens')
  },
)

test('a confirmation gives the session another ID, and keeps what another request has changed meanwhile', async () => {
  const { app, browser, copy } = await lapsed({ sessionStore: 'database' })
  const before = await allSessions(app.db)
  const renamed = { _method: 'PATCH', name: 'Ann B.', email: ann.email }
  const beforeBody = () => copy.post('/settings/profile', renamed, stay)
  await browser.post('/confirm-password', password, { ...stay, beforeBody })
  const after = await allSessions(app.db)
  expect([before, after].map(({ length }) => length)).toEqual([1, 1])
  expect(after.map(({ key }) => key)).not.toEqual(before.map(({ key }) => key))
  expect((await browser.get('/settings/profile')).flash.error).toBe(
    flashWords.confirmFirst.draftKept,
  )
})

test('a request with the ID from before a confirmation, a moment later, leaves the browser its new one', async () => {
  const { app, browser, copy } = await lapsed({ sessionStore: 'database' })
  const other = await testApp({ config: { ...app.config, port: 0 } })
  const late = [copy, copyOf(other, copy)]
  await browser.post('/confirm-password', password)
  const answers = await Promise.all(late.map((one) => one.document('/dashboard', undefined, stay)))
  expect(answers.map(({ status, headers }) => [status, headers['set-cookie']])).toEqual([
    [303, undefined],
    [303, undefined],
  ])
  expect((await browser.get('/settings/tokens')).component).toBe('Settings/Tokens')
})

test.each(stores)(
  'a confirmation that is sent again, its answer lost, leads to the same page: %s',
  async (sessionStore) => {
    const { browser, copy } = await lapsed({ sessionStore })
    const headers = { 'X-Page-Press': 'q3J0c2V0Y2V0ZXJhL2FuZCtzby1vbjEyMzQ1Njc4OTA=' }
    await copy.post('/confirm-password', password, { headers, stay: true })
    const again = await browser.post('/confirm-password', password, { headers })
    expect([again.component, again.errors]).toEqual(['Settings/Tokens', {}])
  },
)

test.each(stores)(
  'a confirmation that is sent twice leaves the browser logged in and confirmed: %s',
  async (sessionStore) => {
    const { browser } = await lapsed({ sessionStore })
    const beforeBody = () => browser.document('/confirm-password', password, stay)
    await browser.document('/confirm-password', password, { ...stay, beforeBody })
    expect((await browser.get('/settings/tokens')).component).toBe('Settings/Tokens')
  },
)
