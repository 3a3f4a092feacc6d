import { browsers } from '#db/browsers'
import { logins } from '#db/logins'
import { addToCount } from '../../services/counts.ts'
import type { App } from '../../app.ts'
import type { Tx } from '../../db/db.ts'

// No throttle counts right passwords, so an account's owner may have a script log in without end. The bounds
// here limit what that costs others; they count in this process's memory, which costs a login nothing.

/**
 * How many of its newest rows an account keeps at least. Older ones are deleted, since a change of the
 * account goes through all of them.
 */
export const mostKept = { logins: 1_000, browsers: 1_000 } as const
/** After this many logins of an account in this process, its oldest rows beyond `mostKept` are deleted. */
export const betweenLooks = 200

/** Counts a login of an account once it is committed. Once every `betweenLooks`, deletes old rows afterwards. */
export function countLogin(app: App, tx: Tx, userId: number): void {
  // After the commit: a failure to delete old rows must not fail the login.
  tx.afterCommit(() => {
    if (addToCount(app, `logins of ${userId}`) % betweenLooks === 0)
      app.background('deleting old logins', keepNewest(app, userId), { user: userId })
  })
}

async function keepNewest(app: App, userId: number): Promise<void> {
  const { db } = app
  const now = app.now()
  await logins.keepNewest(db, { userId, now, most: mostKept.logins })
  await browsers.keepNewest(db, { userId, now, most: mostKept.browsers })
}
