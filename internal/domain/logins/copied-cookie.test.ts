import { expect, test } from 'vitest'
import { flashWords } from '#words/flash'
import { allLogins } from '../../testing/database/rows.ts'
import { copyOf } from '../../testing/sessions.ts'
import { testApp } from '../../testing/test-app.ts'
import { verifiedBrowser } from '../../testing/two-factor.ts'

test.each(['cookie', 'database'] as const)(
  'logging out of every other browser also logs out whoever copied the cookie of this one: %s',
  async (sessionStore) => {
    const app = await testApp({ config: { sessionStore } })
    const browser = await verifiedBrowser(app)
    const copy = copyOf(app, browser)
    const [before] = await allLogins(app.db)
    const visit = await browser.post('/settings/logins', { _method: 'DELETE' })
    const [after, ...others] = await allLogins(app.db)
    expect((await copy.get('/dashboard')).url).toBe('/login')
    expect([visit.url, visit.component]).toEqual(['/settings/security', 'Settings/Security'])
    expect((await browser.get('/settings/tokens')).component).toBe('Settings/Tokens')
    expect([after, others]).toEqual([{ ...before, key: after?.key }, []])
  },
)

test.each(['cookie', 'database'] as const)(
  'logging out of every other browser once more, its answer lost, leaves this one logged in: %s',
  async (sessionStore) => {
    const app = await testApp({ config: { sessionStore } })
    const browser = await verifiedBrowser(app)
    const headers = { 'X-Page-Press': 'q3J0c2V0Y2V0ZXJhL2FuZCtzby1vbjEyMzQ1Njc4OTA=' }
    const destroy = ['/settings/logins', { _method: 'DELETE' }] as const
    await copyOf(app, browser).post(...destroy, { headers, stay: true })
    const again = await browser.post(...destroy, { headers })
    expect([again.component, again.flash.success]).toEqual([
      'Settings/Security',
      flashWords.othersLoggedOut,
    ])
  },
)
