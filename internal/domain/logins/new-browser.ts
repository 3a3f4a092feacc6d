import { browsers } from '#db/browsers'
import { browserOf } from '../../base/network/browser.ts'
import { sha256 } from '../../base/crypto/random.ts'
import { lifetimes } from '../../base/lifetimes.ts'
import { notify } from '../notifications/notify.ts'
import type { App } from '../../app.ts'
import type { Tx } from '../../db/db.ts'
import type { User } from '../../db/users.ts'
import type { NotificationData } from '../../../web/contract/notification-lines.ts'

/** Records that the user logged in from a browser; returns whether they had done so in the year before. */
export async function keepBrowser(
  tx: Tx,
  userId: number,
  { id, at }: { id: string; at: Date },
): Promise<boolean> {
  // They run one after the other, but a remote database is waited for only once.
  const [, isKnown] = await Promise.all([
    browsers.forget(tx, { userId, before: new Date(at.getTime() - lifetimes.browser) }),
    browsers.recordLogin(tx, { userId, hash: sha256(id), at }),
  ])
  return isKnown
}

/** Notifies the user of a login from a new browser (spec: Notifications). */
export function tellOfNewBrowser(
  app: App,
  tx: Tx,
  user: User,
  {
    userAgent,
    address,
    by,
  }: {
    userAgent: string
    address: string
    by: NotificationData['new-login']['by']
  },
): Promise<void> {
  const data = { ...browserOf(userAgent), address, ...(by && { by }) }
  return notify(app, tx, user, { kind: 'new-login', data })
}
