import { browsers } from '#db/browsers'
import { logins } from '#db/logins'
import { notifications } from '#db/notifications'
import type { App } from '../../app.ts'
import type { Tx } from '../../db/db.ts'

// A right password is counted by no throttle: whoever has an account may have a script log in without end. What that
// costs others is bounded here, by what this process has seen, so that the bound itself costs a login nothing.

/**
 * So many logins of an account in a minute are mailed, if they are from new browsers: others are told in the app alone.
 */
export const mostMailed = 20
/**
 * How many of its newest an account keeps at least. Older ones are deleted, as a change of the account goes through
 * all.
 */
export const mostKept = { logins: 1_000, browsers: 1_000, notifications: 20_000 } as const
/** After so many logins of an account in this process, its oldest rows beyond `mostKept` are deleted. */
export const betweenLooks = 200
const mostAccounts = 10_000

interface Count {
  total: number
  /** The minute of the last login, counted from 1970. */
  minute: number
  inMinute: number
}

const ofApps = new WeakMap<App, Map<number, Count>>()

/** What a login came to as it was counted. */
interface Counted {
  readonly isMailed: boolean
  readonly isLookDue: boolean
}

/** By the browser, an object that each request makes anew: a transaction that is run again counts its login once. */
const counted = new WeakMap<object, Counted>()

/**
 * Counts a login of an account, and returns whether it may be mailed. Now and then deletes old rows after it
 * (`betweenLooks`).
 */
export function countLogin(app: App, tx: Tx, userId: number, browser: object): boolean {
  const { isMailed, isLookDue } = counted.get(browser) ?? countOnce(app, userId)
  counted.set(browser, { isMailed, isLookDue })
  // After the commit: a login must not fail because old rows are deleted.
  if (isLookDue)
    tx.afterCommit(() =>
      app.background('deleting old logins', keepNewest(app, userId), { user: userId }),
    )
  return isMailed
}

function countOnce(app: App, userId: number): Counted {
  const known = countOf(app, userId)
  return {
    isMailed: ++known.inMinute <= mostMailed,
    isLookDue: ++known.total % betweenLooks === 0,
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
