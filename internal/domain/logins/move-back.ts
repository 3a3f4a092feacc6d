import { cache } from '#db/cache'
import { logins } from '#db/logins'
import type { App } from '../../app.ts'

const key = 'sessions-kept-in'

/** Logins ended per transaction: all at once could take longer than a statement may. */
const most = 500
/** Later than any login ends. */
const afterAll = new Date('9999-12-31T00:00:00Z')

/**
 * Records where sessions are kept. When they move back from rows into the cookie, ends every login: a browser
 * that stayed away meanwhile still has its old cookie (spec: Configuration, SESSION_STORE).
 */
export async function endLoginsOnceBack(app: App): Promise<void> {
  const { sessionStore: value } = app.config
  const previous = (await cache.get(app.db, { key, now: app.now() })) ?? 'cookie'
  if (previous === value) return
  if (value === 'cookie') await endAll(app, previous)
  else
    await app.db.transaction((tx) =>
      cache.replace(tx, { key, value, unless: { from: value, to: value } }),
    )
}

/** Records the move with the last logins: if this start is stopped before, the next one goes on. */
async function endAll(app: App, previous: string): Promise<void> {
  const unless = { from: 'cookie', to: 'cookie' }
  const endSome = () =>
    app.db.transaction(async (tx) => {
      // Locks the record. Another server may have ended all logins by now, and made new ones.
      if (!(await cache.replace(tx, { key, value: previous, unless }))) return 0
      const ended = await logins.prune(tx, { now: afterAll, most })
      if (ended < most) await cache.replace(tx, { key, value: 'cookie', unless })
      return ended
    })
  while ((await endSome()) >= most);
}
