import { appName } from '../../../web/contract/name.ts'
import { expect, test } from 'vitest'
import { sha256 } from '../../base/crypto/random.ts'
import { ann, bob, logIn, registeredBrowser, registration } from '../../testing/people.ts'
import { base32Bytes, randomBits } from '../../testing/formats/random-bits.ts'
import { allBrowsers, turnOnTwoFactor } from '../../testing/database/rows.ts'
import { testApp } from '../../testing/test-app.ts'
import type { Visit } from '../../testing/browser.ts'

/** Returns the browser's Set-Cookie, if the answer has one. */
function browserSet({ headers }: Visit): string | undefined {
  return headers['set-cookie']?.find((line) => line.includes(`${appName}_browser=`))
}

test('a browser gets an ID at its first login, and keeps it for a year, logged in or out', async () => {
  const app = await testApp()
  const browser = app.browser()
  const looked = await browser.get('/login')
  const made = await browser.post('/register', registration(ann), { stay: true })
  const id = browser.cookies.get(`${appName}_browser`) ?? ''
  const out = await browser.post('/logout')
  expect([browserSet(looked), browserSet(out)]).toEqual([undefined, undefined])
  expect(browserSet(made)).toBe(
    `${appName}_browser=${id}; Max-Age=31536000; Path=/; HttpOnly; SameSite=Lax`,
  )
  expect(id).toMatch(/^[a-z2-7]{26}$/)
  expect(browser.cookies.get(`${appName}_browser`)).toBe(id)
})

test('the browser ID has 128 random bits', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  const ids: string[] = []
  for (let times = 0; times < 100; times++) {
    const browser = app.browser()
    await logIn(browser, ann, { stay: true })
    ids.push(browser.cookies.get(`${appName}_browser`) ?? '')
    await app.pass({ minutes: 1 })
  }
  expect(randomBits(ids.map(base32Bytes))).toBe(128)
})

test('each successful login renews the browser cookie, and a visit does not', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  const id = browser.cookies.get(`${appName}_browser`)
  const visited = await browser.get('/verify-email', { stay: true })
  await browser.post('/logout')
  const again = await logIn(browser, ann, { stay: true })
  expect(browserSet(visited)).toBe(undefined)
  expect(browserSet(again)).toContain(`${appName}_browser=${id}; Max-Age=31536000`)
})

test('a login that fails or waits for its code sets no browser cookie', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  await turnOnTwoFactor(app.db)
  const browser = app.browser()
  const failed = await logIn(browser, { ...ann, password: 'wrong word' }, { stay: true })
  const held = await logIn(browser, ann, { stay: true })
  expect(held.location).toBe('/two-factor-challenge')
  expect([browserSet(failed), browserSet(held)]).toEqual([undefined, undefined])
  expect(await allBrowsers(app.db)).toHaveLength(1)
})

test('over https the browser cookie is Secure and has the __Host- prefix', async () => {
  const app = await testApp({ config: { origin: 'https://app.test', https: true } })
  const made = await app.browser().post('/register', registration(ann), { stay: true })
  expect(browserSet(made)).toMatch(
    new RegExp(
      `^__Host-${appName}_browser=[a-z2-7]{26}; Max-Age=31536000; Path=/; HttpOnly; SameSite=Lax; Secure$`,
    ),
  )
})

test('a browser cookie that is not a valid ID is replaced', async () => {
  const app = await testApp()
  const browser = app.browser()
  browser.cookies.set(`${appName}_browser`, 'A'.repeat(26))
  await browser.post('/register', registration(ann))
  const id = browser.cookies.get(`${appName}_browser`) ?? ''
  expect(id).toMatch(/^[a-z2-7]{26}$/)
  expect((await allBrowsers(app.db)).map(({ hash }) => hash)).toEqual([sha256(id)])
})

test('the table stores the SHA-256 of the browser ID for each account that logged in from it', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  await browser.post('/logout')
  await browser.post('/register', registration(bob))
  const hash = sha256(browser.cookies.get(`${appName}_browser`) ?? '')
  expect(await allBrowsers(app.db)).toMatchObject([
    { userId: 1, hash, lastLoginAt: app.now() },
    { userId: 2, hash, lastLoginAt: app.now() },
  ])
})

test('a browser that an account has not used for a year is deleted at the account’s next login', async () => {
  const app = await testApp()
  const first = await registeredBrowser(app, ann)
  await registeredBrowser(app, bob)
  await app.pass({ days: 1 })
  const second = app.browser()
  await logIn(second, ann)
  await app.pass({ days: 364 })
  await first.post('/logout')
  const third = app.browser()
  await logIn(third, ann)
  const kept = (await allBrowsers(app.db)).filter(({ userId }) => userId === 1)
  const hashes = [second, third].map(({ cookies }) =>
    sha256(cookies.get(`${appName}_browser`) ?? ''),
  )
  expect(kept.map(({ hash }) => hash)).toEqual(hashes)
  expect(await allBrowsers(app.db)).toHaveLength(3)
})
