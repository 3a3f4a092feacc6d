import { setImmediate as nextTurn } from 'node:timers/promises'
import { cache } from '#db/cache'
import { emailKey } from '../../base/email.ts'
import { users } from '#db/users'
import { emailKeys } from '../../db/email-keys.ts'
import type { App } from '../../app.ts'

// The most accounts in one turn: pages must not wait for all of them.
const most = 1000

/**
 * Recorded once all keys are as `emailKey` makes them. Change the value whenever `emailKey` changes: `idna`
 * put domains in ASCII, `sigma` made the two small sigmas one letter.
 */
const record = { key: 'email-keys', value: 'sigma' }

/**
 * Renews, once, the email keys that an older version made. Two accounts whose emails now share a key stay as
 * they are, and are logged. Stops between two batches when `signal` is aborted: the next start begins anew.
 */
export async function renewEmailKeys(app: App, signal: AbortSignal): Promise<void> {
  const { key, value } = record
  if ((await cache.get(app.db, { key, now: app.now() })) === value) return
  let after = 0
  while (!signal.aborted) {
    const batch = await emailKeys.list(app.db, { after, most })
    for (const { id, email, emailKey: from } of batch) {
      const to = emailKey(email)
      if (to !== from) await renew(app, { id, from, to })
    }
    if (batch.length < most) return noteRenewed(app)
    after = batch.at(-1)?.id ?? after
    // Yields to requests, since without a write nothing above does.
    await nextTurn()
  }
}

async function renew(app: App, change: { id: number; from: string; to: string }): Promise<void> {
  if (await app.db.transaction((tx) => emailKeys.replace(tx, change))) return
  // If no other account has the key, another server was first, or the user has changed the email.
  const owner = await users.byEmailKey(app.db, change.to)
  if (owner && owner.id !== change.id)
    app.log.warn('another account has the same email, written in another way', { user: change.id })
}

async function noteRenewed(app: App): Promise<void> {
  const { key, value } = record
  await app.db.transaction((tx) =>
    cache.replace(tx, { key, value, unless: { from: value, to: value } }),
  )
}
