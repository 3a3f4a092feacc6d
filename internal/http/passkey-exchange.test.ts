import { expect, test } from 'vitest'
import { mostPasskeys } from '../../web/contract/limits.ts'
import { paths } from '../../web/contract/paths.ts'
import { linkIn } from '../testing/mails.ts'
import { addNewPasskey, newAuthenticator, requestPasskeyOptions } from '../testing/passkeys.ts'
import { ann, bob, registeredBrowser } from '../testing/people.ts'
import { deleteLogins } from '../testing/database/rows.ts'
import { testApp, type TestApp } from '../testing/test-app.ts'
import { verifiedBrowser } from '../testing/two-factor.ts'
import type { Wrong } from '../testing/authenticator.ts'
import type { Browser, SendOptions, Visit } from '../testing/browser.ts'

/** A passkey that a browser has made, and the server has not been sent yet. */
interface Made {
  readonly credential: RegistrationResponseJSON
  readonly send: (options?: SendOptions) => Promise<Visit>
}

/** Makes a passkey with options of a path, for the form that goes to the same path. */
async function make(
  browser: Browser,
  path: string = paths['passkeys.store'],
  wrong: Wrong = {},
): Promise<Made> {
  const [pathname = '', query = ''] = path.split('?')
  const options = await requestPasskeyOptions<PublicKeyCredentialCreationOptionsJSON>(
    browser,
    `${pathname}/options?${query}`,
  )
  const credential = newAuthenticator().create(options, wrong)
  return { credential, send: (options) => browser.postJson(path, { credential }, options) }
}

/** Returns Ann's browser, and a passkey that it has just made. */
async function madeByAnn(wrong: Wrong = {}) {
  const app = await testApp()
  const browser = await verifiedBrowser(app)
  return { app, browser, ...(await make(browser, undefined, wrong)) }
}

/** Returns an app, and the link mailed to Ann. */
async function mailed(): Promise<{ app: TestApp; link: string }> {
  const app = await testApp({ workers: true })
  await app.browser().post('/register/passkey', { name: ann.name, email: ann.email })
  return { app, link: linkIn(await app.outbox.nextTo(ann.email)) }
}

/** The answer that refuses a passkey, and names it. */
function naming(status: number, { id }: RegistrationResponseJSON) {
  return { status, json: { unknownCredential: { rpId: 'app.test', credentialId: id } } }
}

test('a new passkey that is invalid or late is named in the answer, so that the browser removes it', async () => {
  const invalid = await madeByAnn({ verified: false })
  const late = await madeByAnn()
  await late.app.pass({ minutes: 5 })
  expect(await invalid.send()).toMatchObject(naming(422, invalid.credential))
  expect(await late.send()).toMatchObject(naming(422, late.credential))
})

test('a new passkey of an account that has the maximum by then is named in the answer', async () => {
  const { browser, credential, send } = await madeByAnn()
  for (let i = 0; i < mostPasskeys; i++) await addNewPasskey(browser, newAuthenticator())
  expect(await send()).toMatchObject(naming(422, credential))
})

test('a new passkey is named in the answer when the confirmation or the login has ended by then', async () => {
  const lapsed = await madeByAnn()
  await lapsed.app.pass({ hours: 1, minutes: 30 })
  await lapsed.browser.get('/dashboard')
  await lapsed.app.pass({ hours: 1, minutes: 30 })
  const ended = await madeByAnn()
  await deleteLogins(ended.app.db)
  expect(await lapsed.send()).toMatchObject(naming(423, lapsed.credential))
  expect(await ended.send()).toMatchObject(naming(401, ended.credential))
})

test('a new passkey is named in the answer when somebody else has logged in by then', async () => {
  const { credential, send } = await madeByAnn()
  const answer = await send({ headers: { 'X-Page-User': '7' } })
  expect(answer).toMatchObject(naming(409, credential))
})

test('a new passkey of a registration that was finished elsewhere is named in the answer', async () => {
  const { app, link } = await mailed()
  const first = await make(app.browser(), link)
  const second = await make(app.browser(), link)
  await first.send()
  expect(await second.send()).toMatchObject(naming(422, second.credential))
})

test('a new passkey of a registration is named in the answer when somebody has logged in by then', async () => {
  const { app, link } = await mailed()
  const { cookies } = await registeredBrowser(app, bob)
  const browser = app.browser()
  const { credential, send } = await make(browser, link)
  for (const [name, value] of cookies) browser.cookies.set(name, value)
  expect(await send()).toMatchObject(naming(200, credential))
})

test('a passkey that an account has is never named as unknown', async () => {
  const { browser, credential, send } = await madeByAnn()
  const credentialId = Buffer.from(credential.id, 'base64url')
  const answers = [
    await send(),
    await send(),
    await addNewPasskey(browser, newAuthenticator(), { wrong: { credentialId } }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 422, 422])
  expect(answers.filter(({ body }) => body.includes('unknownCredential'))).toEqual([])
})

test('a validation-only request with a new passkey names none', async () => {
  const { send } = await madeByAnn()
  const answer = await send({ headers: { 'X-Page-Validate-Only': '' } })
  expect([answer.status, answer.body]).toEqual([204, ''])
})
