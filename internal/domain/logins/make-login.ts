import { longestUserAgent } from '../../base/network/browser.ts'
import { firstBytes } from '../../base/text/first-bytes.ts'
import { lifetimes } from '../../base/lifetimes.ts'
import { randomId, sha256 } from '../../base/crypto/random.ts'
import { logins } from '#db/logins'
import { countLogin } from './login-counts.ts'
import { recordReplacedCookie } from './replaced-by-login.ts'
import { keepBrowser, tellOfNewBrowser } from './new-browser.ts'
import { users } from '#db/users'
import type { Language } from '../../../web/contract/languages.ts'
import type { App } from '../../app.ts'
import type { Tx } from '../../db/db.ts'
import type { User } from '../../db/users.ts'

/** The browser that asks, as a login row records it. */
export interface Browser {
  /** What the browser is recognized by: 26 random characters, of which the account keeps only the SHA-256. */
  readonly id: string
  readonly userAgent: string
  readonly address: string
  /** The language of its pages. */
  readonly language: Language
  /** The name of its session cookie, which the login replaces; empty or undefined without one. */
  readonly sessionName?: string
}

/** What a session keeps of a login to be recognized as logged in (spec: Sessions and logins 3 and 6). */
export interface Login {
  /** 26 random characters; the row keeps only its SHA-256. */
  readonly id: string
  readonly userId: number
  /** Of the password hash the login was made with. */
  readonly fingerprint: string
  readonly remember: boolean
}

/** Returns how long a login lives after its last request, in milliseconds (spec: Limits). */
export function lifetime(remember: boolean): number {
  return remember ? lifetimes.rememberedLogin : lifetimes.login
}

export interface LoginOptions {
  readonly browser: Browser
  readonly remember: boolean
  /** Whether to notify the user if the browser is new: not for registering, a reset or a new password. */
  readonly tells: boolean
  /** What the login is made with, if not the password. */
  readonly by?: 'passkey'
}

/** Inserts rows for a new login and its browser; notifies the user if that is new (spec: Notifications). */
export async function makeLogin(
  app: App,
  tx: Tx,
  user: User,
  { browser, remember, tells, by }: LoginOptions,
): Promise<Login> {
  const id = randomId()
  const at = app.now()
  const row = {
    key: loginKey(id),
    userId: user.id,
    userAgent: firstBytes(browser.userAgent, longestUserAgent),
    address: browser.address,
    remember,
    at,
    endsAt: new Date(at.getTime() + lifetime(remember)),
  }
  const { language } = browser
  // Sent together, so that a remote database is waited for only once.
  const [isKnown] = await Promise.all([
    keepBrowser(tx, user.id, { id: browser.id, at }),
    logins.insert(tx, row),
    recordReplacedCookie(app, tx, browser.sessionName),
    ...(user.lastLanguage === language ? [] : [users.noteLanguage(tx, { id: user.id, language })]),
  ])
  countLogin(app, tx, user.id)
  if (tells && !isKnown) await tellOfNewBrowser(app, tx, user, { ...browser, by })
  return { id, userId: user.id, fingerprint: fingerprint(user.passwordHash), remember }
}

export function loginKey(id: string): Buffer {
  return sha256(id)
}

/** Returns twelve bytes of SHA-256 of the password hash, in base64url: another password ends the login. */
export function fingerprint(passwordHash: string): string {
  return sha256(passwordHash).toString('base64url', 0, 12)
}
