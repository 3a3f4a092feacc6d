import { jobs } from '#db/jobs'
import { logins } from '#db/logins'
import { notifications } from '#db/notifications'
import { passkeys } from '#db/passkeys'
import { tokens } from '#db/tokens'
import { browserOf } from '../../base/network/browser.ts'
import { countWaiting } from '../logins/hold-login.ts'
import { readAbilities } from '../tokens/abilities.ts'
import { oneListed } from './list-accounts.ts'
import { browserName } from '#words/format/browser-name'
import type { App } from '../../app.ts'
import type { Job } from '../../db/jobs.ts'
import type { LoginRow } from '../../db/logins.ts'
import type { Passkey } from '../../db/passkeys.ts'
import type { AccessToken } from '../../db/tokens.ts'
import type { User } from '../../db/users.ts'

/** What an administrator may see of an account: no hash, no key, nothing sealed. */
export type AccountFacts = NonNullable<Awaited<ReturnType<typeof accountFacts>>>

// Of logins and of jobs: a script may log in by the thousand, and a mail server may refuse as many mails.
const most = 1000

/** Reads an account's facts, with at most 1000 logins and jobs, and totals; undefined if it is gone. */
export async function accountFacts(app: Pick<App, 'db' | 'now'>, user: User) {
  const { db } = app
  const { id: userId, emailKey } = user
  const [listed, loginRows, loginsInAll, passkeyRows, tokenRows, unread, all, waiting, jobRows] =
    await Promise.all([
      oneListed(db, userId),
      logins.ofUser(db, { userId, now: app.now(), first: Buffer.alloc(0), most }),
      logins.count(db, { userId, now: app.now() }),
      passkeys.ofUser(db, userId),
      tokens.ofUser(db, userId),
      notifications.countUnread(db, userId),
      notifications.count(db, userId),
      countWaiting(app, userId),
      jobs.ofUser(db, { userId, emailKey, most }),
    ])
  if (!listed) return undefined
  return {
    ...listed,
    photo: user.photo !== null,
    notifications: { unread, all },
    loginsWaitingForCode: waiting,
    loginsInAll,
    jobsInAll: jobRows[0]?.inAll ?? 0,
    logins: loginRows.map(loginFacts),
    passkeys: passkeyRows.map(passkeyFacts),
    tokens: tokenRows.map(tokenFacts),
    jobs: jobRows.map(jobFacts),
  }
}

function loginFacts({ userAgent, address, remember, loggedInAt, lastSeenAt, endsAt }: LoginRow) {
  const browser = browserName(browserOf(userAgent))
  return { browser, userAgent, address, remember, loggedInAt, lastSeenAt, endsAt }
}

function passkeyFacts({ id, name, backedUp, createdAt, lastUsedAt }: Passkey) {
  return { id, name, backedUp, createdAt, lastUsedAt }
}

function tokenFacts({ id, name, abilities, expiresAt, lastUsedAt, createdAt }: AccessToken) {
  return { id, name, abilities: readAbilities(abilities), expiresAt, lastUsedAt, createdAt }
}

function jobFacts({ id, name, tries, createdAt, failedAt, error }: Job) {
  return { id, name, tries, createdAt, failedAt, error }
}
