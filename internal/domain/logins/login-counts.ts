import { browsers } from '#db/browsers'
import { logins } from '#db/logins'
import { notifications } from '#db/notifications'
import type { App } from '../../app.ts'
import type { Tx } from '../../db/db.ts'

// A right password is counted by no throttle: whoever has an account may have a script log in without end. What that
// costs others is bounded here, by what this process has seen, which costs a login nothing.

/** Logins of an account of which each is mailed, if it is from a new browser: what comes within the minute beside them is kept in the app alone. */
export const mostMailed = 20
/** What is kept of an account at least; of more the oldest give way, as all of it is gone through when the account changes. */
export const mostKept = { logins: 1_000, browsers: 1_000, notifications: 20_000 } as const
/** After so many logins of an account here it is looked how much is kept of it. */
export const betweenLooks = 200
const mostAccounts = 10_000

interface Count {
  all: number
  /** Since 1970. */
  minute: number
  inMinute: number
}

const ofApps = new WeakMap<App, Map<number, Count>>()

/** Counts a login of an account, and returns whether it is still to be mailed of. Of too many some are deleted after it. */
export function countLogin(app: App, tx: Tx, userId: number): boolean {
  const count = countOf(app, userId)
  // Not with it: no right password is refused for what is to be tidied up.
  if (++count.all % betweenLooks === 0)
    tx.afterCommit(() =>
      app.background('deleting old logins', keepNewest(app, userId), { user: userId }),
    )
  return ++count.inMinute <= mostMailed
}

function countOf(app: App, userId: number): Count {
  const counts = ofApps.get(app) ?? new Map<number, Count>()
  ofApps.set(app, counts)
  const minute = Math.floor(app.now().getTime() / 60_000)
  const { all, ...last } = counts.get(userId) ?? { all: 0, minute, inMinute: 0 }
  const count = { all, minute, inMinute: last.minute === minute ? last.inMinute : 0 }
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
