import { setImmediate as nextTurn } from 'node:timers/promises'
import { cache } from '#db/cache'
import { emailKey } from '../../base/email.ts'
import { users } from '#db/users'
import { emailKeys } from '../../db/email-keys.ts'
import type { App } from '../../app.ts'

// Looked through in one turn: pages do not wait for all of them.
const most = 1000

/**
 * What is noted once all are as `emailKey` makes them. To be changed with it: since `idna` a domain is in ASCII, since
 * `sigma` the two small ones are one.
 */
const noted = { key: 'email-keys', value: 'sigma' }

/**
 * Keeps the emails of an older version by the keys that this one looks them up by, once. Two accounts whose emails are
 * one by now stay as they are, and are logged. Ends early, between two parts, once it is aborted: the next start begins
 * anew.
 */
export async function renewEmailKeys(app: App, signal: AbortSignal): Promise<void> {
  const { key, value } = noted
  if ((await cache.get(app.db, { key, now: app.now() })) === value) return
  let after = 0
  while (!signal.aborted) {
    const some = await emailKeys.list(app.db, { after, most })
    for (const { id, email, emailKey: from } of some) {
      const to = emailKey(email)
      if (to !== from) await renew(app, { id, from, to })
    }
    if (some.length < most) return note(app)
    after = some.at(-1)?.id ?? after
    // Where nothing is written nothing is waited for, and no request would have its turn.
    await nextTurn()
  }
}

async function renew(app: App, change: { id: number; from: string; to: string }): Promise<void> {
  if (await app.db.transaction((tx) => emailKeys.replace(tx, change))) return
  // Else another server was first, or the user.
  const other = await users.byEmailKey(app.db, change.to)
  if (other && other.id !== change.id)
    app.log.warn('another account has the same email, written in another way', { user: change.id })
}

async function note(app: App): Promise<void> {
  const { key, value } = noted
  await app.db.transaction((tx) =>
    cache.replace(tx, { key, value, unless: { from: value, to: value } }),
  )
}
