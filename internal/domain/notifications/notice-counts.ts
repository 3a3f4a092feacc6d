import { notifications } from '#db/notifications'
import { addToCount, countInMinute } from '../../services/counts.ts'
import type { App } from '../../app.ts'
import type { Tx } from '../../db/db.ts'
import type { NotificationKind } from '../../../web/contract/notification-lines.ts'

// Few changes that a user is notified of are throttled, so an account's owner may have a script make them without
// end. The bounds here limit what that costs others.

/**
 * How many notices of one kind are mailed to an account in a minute, or a few more if changes are made at the same
 * time; further ones show in the app only. By kind:
 * whoever makes many of one kind must not keep another from being mailed.
 */
export const mostMailed = 20
/**
 * How many of its newest notifications an account keeps at least. Older ones are deleted, since the account's
 * deletion goes through all of them.
 */
export const mostKept = 20_000
/** After this many notices of an account in this process, its oldest beyond `mostKept` are deleted. */
export const betweenLooks = 200

/** Whether a kind of notice has been mailed to the account often enough in this minute. */
export function isMailedOften(app: App, userId: number, kind: NotificationKind): boolean {
  return countInMinute(app, noticesOf(userId, kind)) >= mostMailed
}

/** Counts a notice once it is committed. Once every `betweenLooks`, deletes old notifications afterwards. */
export function countNotice(app: App, tx: Tx, userId: number, kind: NotificationKind): void {
  tx.afterCommit(() => {
    addToCount(app, noticesOf(userId, kind))
    if (addToCount(app, `notices of ${userId}`) % betweenLooks !== 0) return
    const deletion = notifications.keepNewest(app.db, { userId, most: mostKept })
    app.background('deleting old notifications', deletion, { user: userId })
  })
}

function noticesOf(userId: number, kind: NotificationKind): string {
  return `${kind} notices of ${userId}`
}
