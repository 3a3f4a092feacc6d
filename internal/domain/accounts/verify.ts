import { pathOf, paths } from '../../../web/contract/paths.ts'
import { emailKey } from '../../base/email.ts'
import { lifetimes } from '../../base/lifetimes.ts'
import { checkSignedToken, makeSignedToken } from '../../base/crypto/signed-token.ts'
import { jobs } from '#db/jobs'
import { users } from '#db/users'
import { publish } from '../../services/events.ts'
import { push, pushLater } from '../../services/jobs/push.ts'
import { nextTry, reserve, take } from '../../services/throttle.ts'
import { asUser, type Ended } from '../logins/as-user.ts'
import { languageOf } from '../mails/language-of.ts'
import { verifyMail } from '../mails/mails.ts'
import type { App } from '../../app.ts'
import type { Tx } from '../../db/db.ts'
import type { User } from '../../db/users.ts'
import type { Login } from '../logins/make-login.ts'

/** `wait`: the link was asked for within the last minute. */
export type VerificationRequest = { result: 'wait'; seconds: number } | Ended | { result: 'asked' }

/** Pushes the mail of the verification link once more (spec: Verify email). */
export async function askVerification(app: App, login: Login): Promise<VerificationRequest> {
  const seconds = await take(app, 'mails', asksOf(login.userId))
  if (seconds !== undefined) return { result: 'wait', seconds }
  return asUser(app, login, async (tx, user) => {
    if (!user.emailVerifiedAt) await pushVerification(app, tx, user)
    return { result: 'asked' }
  })
}

/** Returns when the link may be asked for again: now, or once the minute is over. */
export function nextVerification(app: App, userId: number): Promise<Date> {
  return nextTry(app, 'mails', asksOf(userId))
}

function asksOf(userId: number): string {
  return `verify|${userId}`
}

/**
 * Pushes the mail of the verification link. At most one a minute goes to a user and to an email, which may be
 * a stranger's: of requests that come too soon, only the last is mailed, when the minute is over.
 */
export async function pushVerification(
  app: App,
  tx: Tx,
  { id, email }: Pick<User, 'id' | 'email'>,
): Promise<void> {
  const name = 'VerifyMail'
  const payload = { userId: id, email }
  const due = await reserve(app, tx, 'verification-links', [String(id), emailKey(email)])
  if (due <= app.now()) return push(app, tx, name, payload)
  // Replaces a mail that already waits, due at that time or before.
  await jobs.cancelLater(tx, { name, userId: id, after: app.now(), until: due })
  await pushLater(app, tx, { name, payload, due })
}

/** Runs the job `VerifyMail`: mails the link, unless the email was verified or changed since. */
export async function sendVerification(
  app: App,
  { userId, email }: { userId: number; email: string },
  signal: AbortSignal,
): Promise<void> {
  const user = await users.byId(app.db, userId)
  if (!user || user.emailVerifiedAt || user.email !== email) return
  const { links } = app.config
  await app.mailer.send(
    verifyMail({ address: user.email, link: link(app, user), links, language: languageOf(user) }),
    signal,
  )
}

/** `was verified`: the email was verified before. `over`: the link is no longer valid for the email. */
export type Verified = 'verified' | 'was verified' | 'over'

/** Verifies the email that the link was mailed to, and notifies the open pages that wait for it. */
export async function verifyEmail(
  app: App,
  { id, token }: { id: number; token: string },
): Promise<Verified> {
  const user = await users.byId(app.db, id)
  const now = app.now()
  if (
    !user ||
    !checkSignedToken(app.keys, 'verification', { fields: signedOver(user), token, now })
  ) {
    return 'over'
  }
  // A link may be opened twice: by a mail scanner, then by the person.
  if (user.emailVerifiedAt) return 'was verified'
  return app.db.transaction((tx) => verifyOnce(app, tx, user))
}

async function verifyOnce(app: App, tx: Tx, { id, email }: User): Promise<Verified> {
  if (await users.verify(tx, { id, email, at: app.now() })) {
    await publish(app, tx, id, 'verified')
    return 'verified'
  }
  // The link was followed twice at once, unless the email has changed since.
  return (await users.byId(tx, id))?.email === email ? 'was verified' : 'over'
}

function link(app: App, user: User): string {
  const endsAt = new Date(app.now().getTime() + lifetimes.verification)
  const token = makeSignedToken(app.keys, 'verification', { fields: signedOver(user), endsAt })
  return app.config.origin + pathOf(paths['verification.verify'], { id: user.id, token })
}

function signedOver({ id, email }: User): string[] {
  return [String(id), email]
}
