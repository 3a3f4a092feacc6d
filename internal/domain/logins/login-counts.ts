import { browsers } from '#db/browsers'
import { logins } from '#db/logins'
import { notifications } from '#db/notifications'
import type { App } from '../../app.ts'
import type { Tx } from '../../db/db.ts'

// No throttle counts right passwords, so an account's owner may have a script log in without end. The bounds
// here limit what that costs others; they count in this process's memory, which costs a login nothing.

/**
 * How many logins of an account from new browsers are mailed in a minute; further ones show in the app only.
 */
export const mostMailed = 20
/**
 * How many of its newest rows an account keeps at least. Older ones are deleted, since a change of the
 * account goes through all of them.
 */
export const mostKept = { logins: 1_000, browsers: 1_000, notifications: 20_000 } as const
/** After this many logins of an account in this process, its oldest rows beyond `mostKept` are deleted. */
export const betweenLooks = 200
const mostAccounts = 10_000

interface Count {
  total: number
  /** The minute of the last login, in minutes since 1970. */
  minute: number
  inMinute: number
}

const ofApps = new WeakMap<App, Map<number, Count>>()

/** The outcome of counting a login. */
interface Counted {
  readonly isMailed: boolean
  readonly isLookDue: boolean
}

/** By the browser object, which each request makes anew: a retried transaction counts its login once. */
const counted = new WeakMap<object, Counted>()

/**
 * Counts a login of an account, and returns whether it may be mailed. Once every `betweenLooks` logins,
 * deletes old rows afterwards.
 */
export function countLogin(app: App, tx: Tx, userId: number, browser: object): boolean {
  const { isMailed, isLookDue } = counted.get(browser) ?? countOnce(app, userId)
  counted.set(browser, { isMailed, isLookDue })
  // After the commit: a failure to delete old rows must not fail the login.
  if (isLookDue)
    tx.afterCommit(() =>
      app.background('deleting old logins', keepNewest(app, userId), { user: userId }),
    )
  return isMailed
}

function countOnce(app: App, userId: number): Counted {
  const count = countOf(app, userId)
  return {
    isMailed: ++count.inMinute <= mostMailed,
    isLookDue: ++count.total % betweenLooks === 0,
  }
}

function countOf(app: App, userId: number): Count {
  const counts = ofApps.get(app) ?? new Map<number, Count>()
  ofApps.set(app, counts)
  const minute = Math.floor(app.now().getTime() / 60_000)
  const { total, ...last } = counts.get(userId) ?? { total: 0, minute, inMinute: 0 }
  const count = { total, minute, inMinute: last.minute === minute ? last.inMinute : 0 }
  if (counts.size >= mostAccounts) counts.clear()
  counts.set(userId, count)
  return count
}

async function keepNewest(app: App, userId: number): Promise<void> {
  const { db } = app
  const now = app.now()
  await logins.keepNewest(db, { userId, now, most: mostKept.logins })
  await browsers.keepNewest(db, { userId, now, most: mostKept.browsers })
  await notifications.keepNewest(db, { userId, most: mostKept.notifications })
}
