import { cache } from '#db/cache'
import { logins } from '#db/logins'
import type { App } from '../../app.ts'

const key = 'sessions-kept-in'

/**
 * Records where sessions are kept. When they move back from rows into the cookie, ends every login: a browser
 * that stayed away meanwhile still has its old cookie (spec: Configuration, SESSION_STORE).
 */
export async function endLoginsOnceBack(app: App): Promise<void> {
  const { sessionStore: value } = app.config
  const previous = (await cache.get(app.db, { key, now: app.now() })) ?? 'cookie'
  if (previous === value) return
  await app.db.transaction(async (tx) => {
    const isFirst = await cache.replace(tx, { key, value, unless: { from: value, to: value } })
    if (isFirst && value === 'cookie') await logins.deleteAll(tx)
  })
}
