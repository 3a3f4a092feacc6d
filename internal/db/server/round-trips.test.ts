import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../testing/database/database.ts'
import { ann, registeredBrowser, registration } from '../../testing/people.ts'
import { migratedIn } from '#testing/migrated'
import { mostTrips, openCountingProxy } from '../../testing/network/counting-proxy.ts'
import { testedDatabase } from '../../testing/tested-database.ts'
import { testApp } from '../../testing/test-app.ts'
import { urlOf } from '../../testing/database/on-server.ts'
import { push } from '../../services/jobs/push.ts'
import { startWorkers } from '../../services/jobs/workers.ts'
import { addToken, callApi } from '../../testing/tokens.ts'
import { allUsers, verifyEmails } from '../../testing/database/rows.ts'

/** Opens an app, and counts how often it waits for its database while something is done. */
async function counting() {
  const database = await migratedIn(temporaryFolder(), new Date(0))
  const { url, trips, close } = await openCountingProxy(urlOf(database))
  onTestFinished(close)
  const app = await testApp({ config: { database: { url } } })
  const during = async (work: () => Promise<unknown>) => {
    const before = trips()
    await work()
    await app.awaitWrites()
    return trips() - before
  }
  return { app, during }
}

const stay = true

// An embedded database has no server to wait for.
test.runIf(testedDatabase in mostTrips)(
  'page, API, login and registration requests wait for the database exactly as often as listed',
  async () => {
    const { app, during } = await counting()
    const browser = await registeredBrowser(app, ann)
    const [user] = await allUsers(app.db)
    if (!user) throw new Error('Nobody has registered.')
    await verifyEmails(app.db, app.now())
    const token = await addToken(app, user)
    const round = async (n: number) => {
      const email = `cara${n}@x.test`
      await app.pass({ minutes: 2 })
      const page = () => browser.get('/settings/appearance')
      await page()
      // Once a minute a visit records that the login was seen.
      await app.awaitWrites()
      const visits = {
        page: await during(page),
        dashboard: await during(() => browser.get('/dashboard')),
        api: await during(() => callApi(app, `Bearer ${token}`)),
      }
      await browser.post('/logout')
      const login = await during(() => browser.post('/login', { ...ann }, { stay }))
      const form = registration({ ...ann, email })
      return {
        ...visits,
        login,
        register: await during(() => app.browser().post('/register', form, { stay })),
      }
    }
    // The first run prepares each statement.
    await round(1)
    expect(mostTrips[testedDatabase]).toMatchObject(await round(2))
  },
)

test.runIf(testedDatabase in mostTrips)(
  'each of many jobs waits for the database only when it is claimed and when it is done',
  async () => {
    const { app, during } = await counting()
    const many = 40
    const done = Promise.withResolvers<void>()
    let ran = 0
    const run = async () => {
      if (++ran === many) done.resolve()
    }
    await app.db.transaction(async (tx) => {
      for (let n = 0; n < many; n++) await push(app, tx, 'ResetMail', { email: `ann${n}@x.test` })
    })
    const trips = await during(async () => {
      const work = { ResetMail: { resource: 'mail', run } } as const
      const workers = startWorkers(app, { work, atOnce: 4, poll: 3_600_000 })
      await done.promise
      await workers.stop(10_000)
    })
    // The rest: the claiming presence, the initial cleanup, the search for more jobs, and the end.
    expect(Math.floor(trips / many)).toBe(mostTrips[testedDatabase]?.job)
  },
)
