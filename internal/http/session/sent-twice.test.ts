import { expect, test } from 'vitest'
import { ann, logIn, registered } from '../../testing/people.ts'
import { copyOf } from '../../testing/sessions.ts'
import { testApp } from '../../testing/test-app.ts'
import { verified } from '../../testing/two-factor.ts'
import type { Browser } from '../../testing/browser.ts'

const stay = { stay: true }
const wrong = { email: ann.email, password: 'a wrong word' }
const change = {
  _method: 'PUT',
  current_password: ann.password,
  password: 'another word',
  password_confirmation: 'another word',
}

/** The second has what the first had before its answer came. */
type Send = (browser: Browser) => ReturnType<Browser['post']>

const plainly: Send = (browser) => browser.document('/settings/password', change, stay)
const byClient: Send = (browser) => browser.post('/settings/password', change, stay)
const ways = [
  ['plainly', plainly],
  ['by the client', byClient],
] as const

for (const sessionStore of ['cookie', 'database'] as const)
  for (const [how, send] of ways)
    test(`a new password that is sent twice ${how} leaves the browser logged in: ${sessionStore}`, async () => {
      const app = await testApp({ config: { sessionStore } })
      const browser = await verified(app)
      const before = copyOf(app, browser)
      const first = await send(browser)
      await app.pass({ seconds: 2 })
      const second = await send(before)
      expect([first.location, second.location]).toEqual(['/settings/security', '/login'])
      expect(second.headers['set-cookie']).toBeUndefined()
    })

test.each(['cookie', 'database'] as const)(
  'the form of a guest with a session that comes as another tab logs in takes no login away: %s',
  async (sessionStore) => {
    const app = await testApp({ config: { sessionStore } })
    await registered(app, ann)
    const browser = app.browser()
    // It has a session, of the page that it is on the way to.
    await browser.get('/settings/profile')
    const other = copyOf(app, browser)
    await logIn(browser, ann)
    const failed = await other.post('/login', wrong, stay)
    expect([failed.status, failed.headers['set-cookie']]).toEqual([303, undefined])
  },
)

test.each(['cookie', 'database'] as const)(
  'who comes with a login of before a while later is told that it is over: %s',
  async (sessionStore) => {
    const app = await testApp({ config: { sessionStore } })
    const browser = await verified(app)
    const before = copyOf(app, browser)
    await byClient(browser)
    await app.pass({ seconds: 4 })
    expect((await byClient(before)).headers['set-cookie']).toBeDefined()
  },
)
