import { pathOf, paths } from '../../../web/contract/paths.ts'
import { throttleAddress } from '../../base/network/address.ts'
import { emailKey } from '../../base/email.ts'
import { lifetimes } from '../../base/lifetimes.ts'
import { sha256 } from '../../base/crypto/random.ts'
import { checkSignedToken, makeSignedToken } from '../../base/crypto/signed-token.ts'
import { cache } from '#db/cache'
import { logins } from '#db/logins'
import { passkeys } from '#db/passkeys'
import { tokens } from '#db/tokens'
import { users } from '#db/users'
import { push } from '../../services/jobs/push.ts'
import { makeOrHold, type Entered } from '../logins/hold-login.ts'
import { notify } from '../notifications/notify.ts'
import { countMail } from './count-mail.ts'
import { languageOf } from '../mails/language-of.ts'
import { mailboxOf } from '../mails/layout.ts'
import { resetMail, setPasswordMail } from '../mails/mails.ts'
import type { Browser } from '../logins/make-login.ts'
import type { App } from '../../app.ts'
import type { Db } from '../../db/db.ts'
import type { User } from '../../db/users.ts'

/**
 * Pushes the mail of a reset link. Only the job looks the email up, so that this takes no longer for an email
 * that has an account (spec: Forgotten password). Returns when the next request is allowed.
 */
export async function askReset(app: App, email: string, address: string): Promise<Date> {
  const { isAllowed, next } = await countMail(app, 'reset', { email, address })
  const payload = { email: emailKey(email) }
  if (isAllowed) await app.db.transaction((tx) => push(app, tx, 'ResetMail', payload))
  return next
}

/** Runs the job `ResetMail`: mails the link to the account's own address. */
export async function sendReset(
  app: App,
  { email }: { email: string },
  signal: AbortSignal,
): Promise<void> {
  const user = await users.byEmailKey(app.db, emailKey(email))
  if (!user) return
  const mail = user.passwordHash === '' ? setPasswordMail : resetMail
  const { link } = resetLink(app, user)
  await app.mailer.send(
    mail({ to: mailboxOf(user), link, language: languageOf(user), links: app.config.links }),
    signal,
  )
}

export type Reset =
  | { result: 'invalid' }
  /** The link has just become invalid: by use, a change of email or the removal of the password. */
  | { result: 'used' }
  /** `keys`: what became of the account's passkeys and API tokens. */
  | { result: 'set'; userId: number; entered: Entered; keys: 'kept' | 'removed' }

/** Returns whether a link still sets a password. Uses nothing up, and reveals nothing about other emails. */
export async function isResetLink(
  app: App,
  { email, token }: { email: string; token: string },
): Promise<boolean> {
  return (await userOfLink(app, { email, token })) !== undefined
}

async function userOfLink(
  app: App,
  { email, token }: { email: string; token: string },
): Promise<User | undefined> {
  const user = await users.byEmailKey(app.db, emailKey(email))
  const fields = signedOver(user ?? nobody)
  return checkSignedToken(app.keys, 'reset', { fields, token, now: app.now() }) ? user : undefined
}

/** Sets the password by a mailed link, ends every other login and logs this browser in. */
export async function resetPassword(
  app: App,
  { email, token, password }: { email: string; token: string; password: string },
  browser: Browser,
): Promise<Reset> {
  const user = await userOfLink(app, { email, token })
  if (!user) return { result: (await isSpent(app, token)) ? 'used' : 'invalid' }
  const to = await app.passwords.hashPassword(password, throttleAddress(browser.address))
  return app.db.transaction(async (tx) => {
    const at = app.now()
    const { id, emailKey, passwordHash: from, passwordChanges: changes } = user
    // Read afresh: the email may have been verified while the password was hashed (security rule 21).
    const isVerified = Boolean((await users.hold(tx, id))?.emailVerifiedAt)
    const changed = await users.reset(tx, { id, emailKey, from, changes, to, at })
    if (!changed) return { result: 'used' }
    const endsAt = new Date(at.getTime() + lifetimes.sentTwice)
    await cache.put(tx, { key: spentKey(token), value: '', endsAt })
    // Whoever made the account may not have owned its email (security rule 5).
    const isDropped = !isVerified && (await users.deleteKeys(tx, id)) > 0
    const keys = isDropped ? 'removed' : 'kept'
    await logins.deleteOfUser(tx, id)
    const kind = from === '' ? 'password-set' : 'password-changed'
    await notify(app, tx, changed, { kind, data: { keys } })
    return {
      result: 'set',
      userId: id,
      keys,
      entered: await makeOrHold(app, tx, changed, { browser, remember: false, tells: false }),
    }
  })
}

/** Returns whether this very token set a password a moment ago: its form was sent twice. */
async function isSpent(app: App, token: string): Promise<boolean> {
  return (await cache.get(app.db, { key: spentKey(token), now: app.now() })) !== undefined
}

// A hash, so that the table keeps no token.
function spentKey(token: string): string {
  return `spent:${sha256(token).toString('base64url')}`
}

/**
 * Makes a link that sets a password until it expires or another is set (spec: Tokens that are kept nowhere).
 */
export function resetLink(app: App, user: User): { link: string; endsAt: Date } {
  const endsAt = new Date(app.now().getTime() + lifetimes.reset)
  const token = makeSignedToken(app.keys, 'reset', { fields: signedOver(user), endsAt })
  const query = new URLSearchParams({ email: user.email })
  const link = `${app.config.origin}${pathOf(paths['password.reset'], { token })}?${query.toString()}`
  return { link, endsAt }
}

/** Counts the passkeys and API tokens that a reset would remove now: none once the email is verified. */
export async function keysRemoved(
  db: Db,
  { id, emailVerifiedAt }: User,
): Promise<{ passkeys: number; tokens: number }> {
  if (emailVerifiedAt) return { passkeys: 0, tokens: 0 }
  return {
    passkeys: (await passkeys.ofUser(db, id)).length,
    tokens: await tokens.count(db, id),
  }
}

type Signed = Pick<User, 'id' | 'emailKey' | 'passwordHash' | 'passwordChanges'>

// The count of changes is signed too, so that removing a password revives no link (security rule 5). The
// email is signed by its key, so that a change of its case invalidates no link.
function signedOver({ id, emailKey, passwordHash, passwordChanges }: Signed): string[] {
  return [String(id), passwordHash, emailKey, String(passwordChanges)]
}

const nobody: Signed = { id: 0, emailKey: '', passwordHash: '', passwordChanges: 0 }
