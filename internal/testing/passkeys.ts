import { Authenticator, type Wrong } from './authenticator.ts'
import { ann, registered } from './people.ts'
import { verifyEmails } from './database/rows.ts'
import type { Browser, Visit } from './browser.ts'
import type { Passkey } from '../db/passkeys.ts'
import type { Db } from '../db/db.ts'
import type { TestApp } from './test-app.ts'

/** Returns an authenticator in a browser on a page of the test's app. */
export function authenticator(make: ConstructorParameters<typeof Authenticator>[0] = {}) {
  return new Authenticator({ origin: 'http://app.test', ...make })
}

/** Returns the options that the service gives a browser at a path ending in `/options`. */
export async function asked<
  Options extends PublicKeyCredentialCreationOptionsJSON | PublicKeyCredentialRequestOptionsJSON,
>(browser: Browser, path: string): Promise<Options> {
  const visit = await browser.postJson(path, {})
  if (visit.status !== 200) throw new Error(`${path} answered ${visit.status}: ${visit.body}`)
  return visit.json as Options
}

/** Creates a passkey and adds it to the account that the browser is logged in to. */
export async function add(
  browser: Browser,
  made: Authenticator,
  { name = '', wrong = {}, userAgent = 'curl/8' }: Adding = {},
): Promise<Visit> {
  const options = await asked<PublicKeyCredentialCreationOptionsJSON>(
    browser,
    '/settings/passkeys/options',
  )
  const credential = made.create(options, wrong)
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
  made: Authenticator,
  { wrong = {}, fields = {}, headers = {} }: LoggingIn = {},
): Promise<Visit> {
  const options = await loginAsked(browser)
  const credential = made.get(options, wrong)
  return browser.postJson('/login/passkey', { credential, ...fields }, { headers })
}

interface LoggingIn {
  readonly wrong?: Wrong
  readonly fields?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
}

export function loginAsked(browser: Browser): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return asked(browser, '/login/passkey/options')
}

export function confirmAsked(browser: Browser): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return asked(browser, '/confirm-password/passkey/options')
}

/** Whether the browser is logged in. */
export async function isIn(browser: Browser): Promise<boolean> {
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
export async function challengesKept(db: Db): Promise<number> {
  return (await db.all`SELECT "key" FROM cache WHERE "key" LIKE 'passkey-%'`).length
}

/** Deletes all accounts' passkeys; those in browsers stay. */
export async function losePasskeys(db: Db): Promise<void> {
  await db.run`DELETE FROM passkeys`
}

/** Creates Ann's account without a password, and with one passkey. */
export async function withoutPassword(app: TestApp, person = ann) {
  const browser = await registered(app, person)
  await verifyEmails(app.db, app.now())
  const made = authenticator()
  await add(browser, made)
  await browser.post('/settings/password', { _method: 'DELETE' })
  return { browser, made }
}

/** Returns a list with the same value `count` times, to compare with as many results. */
export function times<Value>(count: number, value: Value): Value[] {
  return Array.from({ length: count }, () => value)
}
