import { Authenticator, type Wrong } from './authenticator.ts'
import { ann, registered } from './people.ts'
import { verifyEmails } from './database/rows.ts'
import type { Browser, Visit } from './browser.ts'
import type { Passkey } from '../db/passkeys.ts'
import type { Db } from '../db/db.ts'
import type { TestApp } from './test-app.ts'

/** An authenticator in a browser that is on a page of the app of a test. */
export function authenticator(make: ConstructorParameters<typeof Authenticator>[0] = {}) {
  return new Authenticator({ origin: 'http://app.test', ...make })
}

/** The options that the service gives a browser at a path that ends in `/options`. */
export async function asked<
  Options extends PublicKeyCredentialCreationOptionsJSON | PublicKeyCredentialRequestOptionsJSON,
>(browser: Browser, path: string): Promise<Options> {
  const visit = await browser.postJson(path, {})
  if (visit.status !== 200) throw new Error(`${path} answered ${visit.status}: ${visit.body}`)
  return visit.json as Options
}

/** Makes a passkey and adds it to the account that the browser is logged in to. */
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

/** Logs in with a passkey, as the login page does. */
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

/** The status and the message that a browser got for a refused passkey. */
export function refusalOf(visit: Visit): readonly [number, string | undefined] {
  const { errors, message } = visit.json as { errors?: { credential?: string }; message?: string }
  return [visit.status, errors?.credential ?? message]
}

export function allPasskeys(db: Db): Promise<Passkey[]> {
  return db.all<Passkey>`SELECT * FROM passkeys ORDER BY id`
}

/** How many challenges wait for a passkey. */
export async function challengesKept(db: Db): Promise<number> {
  return (await db.all`SELECT "key" FROM cache WHERE "key" LIKE 'passkey-%'`).length
}

/** Deletes the passkeys of all accounts; those in browsers stay. */
export async function losePasskeys(db: Db): Promise<void> {
  await db.run`DELETE FROM passkeys`
}

/** Ann's account without its password, and with one passkey. */
export async function withoutPassword(app: TestApp, person = ann) {
  const browser = await registered(app, person)
  await verifyEmails(app.db, app.now())
  const made = authenticator()
  await add(browser, made)
  await browser.post('/settings/password', { _method: 'DELETE' })
  return { browser, made }
}

/** A list with the same value so many times, to be compared with as many results. */
export function times<Value>(count: number, value: Value): Value[] {
  return Array.from({ length: count }, () => value)
}
