import { setImmediate as nextTurn } from 'node:timers/promises'
import { users } from '#db/users'
import { twoFactor } from '../../db/two-factor.ts'
import { adviceOnKeys, sealedAnew } from './sealed.ts'
import type { App } from '../../app.ts'
import type { SealedTwoFactor } from '../../db/two-factor.ts'

// Small, so that other writes wait only briefly for each batch.
const most = 100

// How many IDs are scanned in one turn: most users may have nothing sealed, and pages must not wait for all.
const span = 10_000

/**
 * Seals with the first key what an older one sealed, at each start (spec: Sessions and logins 7). What no key
 * opens stays as it is, and is logged. Stops between two batches when `signal` is aborted: the next start
 * does the rest.
 */
export async function sealAgain(app: App, signal: AbortSignal): Promise<void> {
  // With a single key there is nothing to seal again: the first batch shows whether it is the right key.
  const isRotated = app.config.keys.length > 1
  const last = await users.lastId(app.db)
  let after = 0
  let sealedAgain = 0
  let lost = 0
  while (after < last) {
    const until = after + span
    const batch: SealedTwoFactor[] = await twoFactor.sealed(app.db, { after, until, most })
    const outcome = await sealBatch(app, batch)
    sealedAgain += outcome.sealedAgain
    lost += outcome.lost
    after = batch.length === most ? (batch.at(-1)?.id ?? until) : until
    if (signal.aborted || (!isRotated && batch.length > 0)) break
    // Yields to requests, since without a write nothing above does.
    await nextTurn()
  }
  // Even if there was nothing to seal: whoever is to drop a key waits for this line. A stop during the last
  // batch leaves nothing to the next start.
  if (isRotated && after >= last)
    app.log.info('two-factor values sealed again', { values: sealedAgain })
  else if (sealedAgain > 0)
    app.log.info('sealing two-factor values again was stopped', { values: sealedAgain })
  if (lost > 0)
    app.log.error('two-factor values that no key opens', { values: lost, advice: adviceOnKeys })
}

async function sealBatch(app: App, batch: readonly SealedTwoFactor[]) {
  const values = batch.flatMap(({ id, secret, codes }) => [
    { id, from: secret, column: 'secret', resealed: sealedAnew(app, 'totp', id, secret) },
    { id, from: codes, column: 'codes', resealed: sealedAnew(app, 'recovery', id, codes) },
  ])
  const stale = values.flatMap(({ resealed, ...value }) =>
    typeof resealed === 'object' ? [{ ...value, to: resealed.to }] : [],
  )
  if (stale.length > 0)
    await app.db.transaction(async (tx) => {
      // Replaces a value only if it is still the one read: a change since then sealed it with the first key.
      for (const { column, ...change } of stale)
        if (column === 'secret') await twoFactor.resealSecret(tx, change)
        else await twoFactor.replaceCodes(tx, change)
    })
  return {
    sealedAgain: stale.length,
    lost: values.filter(({ resealed }) => resealed === 'lost').length,
  }
}
