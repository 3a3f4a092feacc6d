import type { TwoFactor } from '../../web/contract/two-factor.ts'
import type { Browser, Visit } from './browser.ts'
import { ann, type Person, registeredBrowser } from './people.ts'
import { verifyEmails } from './database/rows.ts'
import type { TestApp } from './test-app.ts'
import { codeAt, wrongCodeAt } from './totp.ts'

/** A person's authenticator app, and the paper with the recovery codes. */
export interface Factor {
  readonly secret: string
  readonly codes: readonly string[]
  /** Returns the authenticator app's current code. */
  code(): string
  /** Returns six digits other than the code. */
  wrong(): string
}

/** Returns the state of two-factor login that the security page shows. */
export function twoFactorOf({ page }: Visit): TwoFactor {
  return page.props['twoFactor'] as TwoFactor
}

/** Begins to set up an app, and returns the secret. */
export async function beginTwoFactorSetup(browser: Browser): Promise<string> {
  const { setup } = twoFactorOf(await browser.post('/settings/two-factor'))
  if (!setup) throw new Error('Nothing is being set up.')
  return setup.secret
}

/** Turns two-factor login on half a minute ago, so that the current code logs in. */
export async function turnOn(app: TestApp, browser: Browser): Promise<Factor> {
  const secret = await beginTwoFactorSetup(browser)
  const visit = await browser.post('/settings/two-factor/confirm', {
    code: codeAt(secret, app.now()),
  })
  const codes = visit.flash.recoveryCodes
  if (!codes) throw new Error(`Two-factor login was not turned on: ${visit.body}`)
  await app.pass({ seconds: 30 })
  return {
    secret,
    codes,
    code: () => codeAt(secret, app.now()),
    wrong: () => wrongCodeAt(secret, app.now()),
  }
}

/** Returns a browser that has registered the person and verified the email. */
export async function verifiedBrowser(app: TestApp, person: Person = ann): Promise<Browser> {
  const browser = await registeredBrowser(app, person)
  // After the mail, since none is sent to an email that is verified already.
  if (app.hasWorkers) await app.outbox.awaitMailTo(person.email)
  await verifyEmails(app.db, app.now())
  return browser
}
