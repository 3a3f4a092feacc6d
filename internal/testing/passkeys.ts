import { Authenticator, type Wrong } from './authenticator.ts'
import { ann } from './people.ts'
import { verifiedBrowser } from './two-factor.ts'
import type { Browser, Visit } from './browser.ts'
import type { Passkey } from '../db/passkeys.ts'
import type { Db } from '../db/db.ts'
import type { TestApp } from './test-app.ts'

/** Returns an authenticator in a browser on a page of the test's app. */
export function newAuthenticator(model: ConstructorParameters<typeof Authenticator>[0] = {}) {
  return new Authenticator({ origin: 'http://app.test', ...model })
}

/** Returns the options that the service gives a browser at a path ending in `/options`. */
export async function requestPasskeyOptions<
  Options extends PublicKeyCredentialCreationOptionsJSON | PublicKeyCredentialRequestOptionsJSON,
>(browser: Browser, path: string): Promise<Options> {
  const visit = await browser.postJson(path, {})
  if (visit.status !== 200) throw new Error(`${path} answered ${visit.status}: ${visit.body}`)
  return visit.json as Options
}

/** Creates a passkey and adds it to the account that the browser is logged in to. */
export async function addNewPasskey(
  browser: Browser,
  authenticator: Authenticator,
  { name = '', wrong = {}, userAgent = 'curl/8' }: Adding = {},
): Promise<Visit> {
  const options = await requestPasskeyOptions<PublicKeyCredentialCreationOptionsJSON>(
    browser,
    '/settings/passkeys/options',
  )
  const credential = authenticator.create(options, wrong)
  const headers = { 'User-Agent': userAgent }
  return browser.postJson('/settings/passkeys', { name, credential }, { headers })
}

interface Adding {
  readonly name?: string
  readonly wrong?: Wrong
  readonly userAgent?: string
}

/** Logs in with a passkey, like the login page. */
export async function logInPasskey(
  browser: Browser,
  authenticator: Authenticator,
  { wrong = {}, fields = {}, headers = {} }: LoggingIn = {},
): Promise<Visit> {
  const options = await requestLoginOptions(browser)
  const credential = authenticator.get(options, wrong)
  return browser.postJson('/login/passkey', { credential, ...fields }, { headers })
}

interface LoggingIn {
  readonly wrong?: Wrong
  readonly fields?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
}

export function requestLoginOptions(
  browser: Browser,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return requestPasskeyOptions(browser, '/login/passkey/options')
}

export function requestConfirmOptions(
  browser: Browser,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return requestPasskeyOptions(browser, '/confirm-password/passkey/options')
}

/** Whether the browser is logged in. */
export async function isBrowserLoggedIn(browser: Browser): Promise<boolean> {
  return (await browser.get('/verify-email')).user !== null
}

/** Returns the status and the message of a refused passkey. */
export function refusalOf(visit: Visit): readonly [number, string | undefined] {
  const { errors, message } = visit.json as { errors?: { credential?: string }; message?: string }
  return [visit.status, errors?.credential ?? message]
}

export function allPasskeys(db: Db): Promise<Passkey[]> {
  return db.all<Passkey>`SELECT * FROM passkeys ORDER BY id`
}

/** Returns how many challenges are waiting for a passkey. */
export async function countChallenges(db: Db): Promise<number> {
  return (await db.all`SELECT "key" FROM cache WHERE "key" LIKE 'passkey-%'`).length
}

/** Deletes all accounts' passkeys; those in browsers stay. */
export async function deletePasskeys(db: Db): Promise<void> {
  await db.run`DELETE FROM passkeys`
}

/** Creates Ann's account without a password, and with one passkey. */
export async function withoutPassword(app: TestApp, person = ann) {
  const browser = await verifiedBrowser(app, person)
  const authenticator = newAuthenticator()
  await addNewPasskey(browser, authenticator)
  await browser.post('/settings/password', { _method: 'DELETE' })
  return { browser, authenticator: authenticator }
}

/** Returns a list with the same value `count` times, to compare with as many results. */
export function times<Value>(count: number, value: Value): Value[] {
  return Array.from({ length: count }, () => value)
}
