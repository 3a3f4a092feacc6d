import { randomId, sha256 } from '../../base/random.ts'
import { logins } from '#db/logins'
import type { App } from '../../app.ts'
import type { Tx } from '../../db/db.ts'
import type { User } from '../../db/users.ts'

/** The browser that asks, as a login row tells of it. */
export interface Browser {
  readonly userAgent: string
  readonly address: string
}

/** What a session keeps of a login, to be found logged in again (spec: Sessions and logins 3 and 6). */
export interface Login {
  /** 26 random characters; the row keeps only its SHA-256. */
  readonly id: string
  readonly userId: number
  /** Of the password hash the login was made with. */
  readonly fingerprint: string
  readonly remember: boolean
}

const lifetimes = { usual: 2 * 60 * 60 * 1000, remember: 30 * 24 * 60 * 60 * 1000 }

/** How long a login lives after its last request, in milliseconds (spec: Limits). */
export function lifetime(remember: boolean): number {
  return remember ? lifetimes.remember : lifetimes.usual
}

/** Keeps a row for a new login of the user. */
export async function logIn(
  tx: Tx,
  app: App,
  user: User,
  { browser, remember }: { browser: Browser; remember: boolean },
): Promise<Login> {
  const id = randomId()
  const at = app.now()
  await logins.insert(tx, {
    key: loginKey(id),
    userId: user.id,
    userAgent: firstBytes(browser.userAgent, 512),
    address: browser.address,
    remember,
    at,
    endsAt: new Date(at.getTime() + lifetime(remember)),
  })
  return { id, userId: user.id, fingerprint: fingerprint(user.passwordHash), remember }
}

export function loginKey(id: string): Buffer {
  return sha256(id)
}

/** Twelve bytes of SHA-256 of the password hash, as text: another password ends the login. */
export function fingerprint(passwordHash: string): string {
  return sha256(passwordHash).toString('base64url', 0, 12)
}

function firstBytes(text: string, bytes: number): string {
  const whole = Buffer.from(text)
  // The decoder drops a character that the cut went through.
  return whole.length <= bytes
    ? text
    : new TextDecoder().decode(whole.subarray(0, bytes), { stream: true })
}
