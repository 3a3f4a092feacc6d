import { appName } from '../../../web/contract/name.ts'
import { expect, test } from 'vitest'
import { makeSignedToken } from '../../base/crypto/signed-token.ts'
import { addNewPasskey, newAuthenticator, requestLoginOptions } from '../../testing/passkeys.ts'
import { ann, logIn, registeredBrowser, registration } from '../../testing/people.ts'
import { sessionOf } from '../../testing/session-of.ts'
import { testApp, type TestApp } from '../../testing/test-app.ts'
import { turnOn, verifiedBrowser } from '../../testing/two-factor.ts'
import type { Browser } from '../../testing/browser.ts'
import type { Session } from './session.ts'

/** Gives the browser a cookie with this session, sealed so many seconds from now. */
function keep(app: TestApp, browser: Browser, session: Session, seconds = 0): void {
  const at = app.now().getTime() + seconds * 1000
  browser.cookies.set(
    `${appName}_session`,
    app.keys.seal('session', '', JSON.stringify({ at, session })),
  )
}

/** Sets the clock back by so many seconds, and redates the browser's session to the new time. */
async function setBack(app: TestApp, browser: Browser, seconds: number): Promise<void> {
  const session = sessionOf(app, browser)
  await app.pass({ seconds: -seconds })
  keep(app, browser, session)
}

async function withSession() {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  return { app, browser, session: sessionOf(app, browser) }
}

/** Returns the URL that a request for the profile ends at. */
async function wayToProfile(browser: Browser): Promise<string> {
  return (await browser.get('/settings/profile')).url
}

test('a session sealed more than a minute in the future has ended', async () => {
  const { app, browser, session } = await withSession()
  keep(app, browser, session, 59)
  const within = await wayToProfile(browser)
  keep(app, browser, session, 61)
  expect([within, await wayToProfile(browser)]).toEqual(['/settings/profile', '/login'])
})

test('a confirmation more than a minute in the future does not count', async () => {
  const { app, browser, session } = await withSession()
  const now = app.now().getTime()
  keep(app, browser, { ...session, confirmedAt: now + 59_000 })
  const within = await wayToProfile(browser)
  keep(app, browser, { ...session, confirmedAt: now + 61_000 })
  expect([within, await wayToProfile(browser)]).toEqual(['/settings/profile', '/confirm-password'])
})

test('a login last seen more than a minute in the future has ended', async () => {
  const { app, browser, session } = await withSession()
  await app.pass({ seconds: -59 })
  const within = await wayToProfile(browser)
  await app.pass({ seconds: -2 })
  keep(app, browser, session)
  expect([within, await wayToProfile(browser)]).toEqual(['/settings/profile', '/login'])
})

test('a session row last written more than a minute in the future has ended', async () => {
  const app = await testApp({ config: { sessionStore: 'database' } })
  const guest = app.browser()
  await guest.document('/register', { ...registration(ann), email: 'no email' }, { stay: true })
  await app.pass({ seconds: -61 })
  expect((await guest.get('/register')).errors).toEqual({})
})

test('a link that is valid for over a minute longer than any issued one is refused', async () => {
  const { app } = await withSession()
  const verified = async (minutes: number) => {
    const endsAt = new Date(app.now().getTime() + (24 * 60 + minutes) * 60_000)
    const token = makeSignedToken(app.keys, 'verification', { fields: ['1', ann.email], endsAt })
    const visit = await app.browser().get(`/verify-email/1/${token}`, { stay: true })
    return visit.location
  }
  expect([await verified(2), await verified(1)]).toEqual(['/verify-email', '/dashboard'])
})

test('a passkey challenge issued more than a minute in the future logs nobody in', async () => {
  const { app, browser } = await withSession()
  const authenticator = newAuthenticator()
  await addNewPasskey(browser, authenticator)
  const answered = async (seconds: number) => {
    const guest = app.browser()
    const credential = authenticator.get(await requestLoginOptions(guest))
    await setBack(app, guest, seconds)
    await guest.postJson('/login/passkey', { credential })
    return (await guest.get('/')).user?.name
  }
  expect([await answered(59), await answered(61)]).toEqual(['Ann', undefined])
})

test('a two-factor login pending since more than a minute in the future is no longer pending', async () => {
  const app = await testApp()
  const { codes } = await turnOn(app, await verifiedBrowser(app))
  const answered = async (recovery: string | undefined, seconds: number) => {
    const guest = app.browser()
    await logIn(guest, ann)
    await setBack(app, guest, seconds)
    const { url } = await guest.get('/two-factor-challenge')
    // Not a code of an app, which depends on the clock, too.
    await guest.post('/two-factor-challenge', { recovery_code: recovery ?? '' })
    return [url, (await guest.get('/')).user?.name]
  }
  expect([await answered(codes[0], 59), await answered(codes[1], 61)]).toEqual([
    ['/two-factor-challenge', 'Ann'],
    ['/login', undefined],
  ])
})
