import { expect, test } from 'vitest'
import { jobs } from '#db/jobs'
import { preferIndexes, fullScans } from '#testing/plans'
import { addOtherRows, addUsers } from '#testing/many-users'
import { schedule, work } from '../domain/work.ts'
import type { OpenApp } from '../open-app.ts'
import type { JobName } from '../services/jobs/job-names.ts'
import { noon, temporaryFolder } from '../testing/database/database.ts'
import { migratedIn } from '#testing/migrated'
import { addNewPasskey, newAuthenticator, logInPasskey } from '../testing/passkeys.ts'
import { keyOf } from '../testing/database/user-rows.ts'
import { ann, bob, logIn, registeredBrowser } from '../testing/people.ts'
import { verifyEmails } from '../testing/database/rows.ts'
import { testApp, type TestApp } from '../testing/test-app.ts'
import { addToken, callApi } from '../testing/tokens.ts'
import { turnOn } from '../testing/two-factor.ts'
import { users } from '#db/users'
import type { Browser } from '../testing/browser.ts'
import type { Database, Db, Tx, Value } from './db.ts'
import { textOfStatement } from './statement.ts'

type Observer = (db: Db, sql: TemplateStringsArray, values: readonly Value[]) => Promise<void>

/** Returns the same database, with each of its statements passed to `observe` before it runs. */
function observed<Target extends Db>(target: Target, observe: Observer): Target {
  let last = Promise.resolve()
  const show = (sql: TemplateStringsArray, values: readonly Value[]) => {
    last = last.then(() => observe(target, sql, values))
    return last
  }
  const own: Db = {
    first: (sql, ...values) => show(sql, values).then(() => target.first(sql, ...values)),
    all: (sql, ...values) => show(sql, values).then(() => target.all(sql, ...values)),
    run: (sql, ...values) => show(sql, values).then(() => target.run(sql, ...values)),
  }
  return new Proxy(target, {
    get(_, name) {
      const value: unknown = Reflect.get(name in own ? own : target, name)
      return typeof value === 'function' && !(name in own) ? value.bind(target) : value
    },
  })
}

/** Returns the same database, with the statements of its transactions passed to `observe` too. */
function observedDatabase(db: Database, observe: Observer): Database {
  const database = observed(db, observe)
  const unsynced = observed(db.unsynced, observe)
  const transaction = (work: (tx: Tx) => Promise<unknown>) =>
    db.transaction((tx) => work(observed(tx, observe)))
  const own = { transaction, unsynced }
  return new Proxy(database, {
    get: (_, name) => Reflect.get(name in own ? own : database, name) as unknown,
  })
}

/** Opens an app with many users, and collects what its statements read whole. */
async function withMany() {
  const fullReads = new Set<string>()
  const observe: Observer = async (db, sql, values) => {
    // Statements that begin, end or lock have no plan.
    if (!/^\s*(SELECT|WITH|INSERT|UPDATE|DELETE)\b/.test(sql[0] ?? '')) return
    for (const step of await fullScans(db, sql, values))
      fullReads.add(`${step}: ${textOfStatement(sql)}`)
  }
  let served: OpenApp | undefined
  const database = await migratedIn(temporaryFolder(), noon)
  await preferIndexes(database)
  const app = await testApp({
    config: { database },
    serverApp: (opened) => (served = { ...opened, db: observedDatabase(opened.db, observe) }),
  })
  const now = app.now()
  const endsAt = new Date(now.getTime() + 60 * 60 * 1000)
  const many = { users: 2000, hash: '', now, endsAt, browser: keyOf('a browser') }
  await addUsers(app.db, many)
  await addOtherRows(app.db, many)
  if (!served) throw new Error('Nothing is served.')
  return { app, served, fullReads }
}

const pages = [
  '/dashboard',
  '/notifications',
  '/settings/profile',
  '/settings/security',
  '/settings/tokens',
  '/settings/appearance',
]

/** Does everything that people with an account do, up to deleting it. */
async function useAll(app: TestApp, browser: Browser): Promise<void> {
  for (const page of pages) await browser.get(page)
  const profile = '/settings/profile'
  await browser.post(profile, { _method: 'PATCH', name: 'Ann B.', email: 'new@x.test' })
  await verifyEmails(app.db, app.now())
  const token = { name: 'CI', abilities: 'user:read', expiry: '30' }
  await browser.post('/settings/tokens', token)
  const authenticator = newAuthenticator()
  await addNewPasskey(browser, authenticator)
  await turnOn(app, browser)
  const password = { current_password: ann.password, password: bob.password }
  await browser.post('/settings/password', {
    _method: 'PUT',
    ...password,
    password_confirmation: bob.password,
  })
  await browser.post('/settings/logins', { _method: 'DELETE' })
  await browser.post('/settings/two-factor', { _method: 'DELETE' })
  await browser.post('/logout')
  await browser.post('/forgot-password', { email: 'new@x.test' })
  await logInPasskey(browser, authenticator)
  await browser.post('/logout')
  await logIn(browser, { email: 'new@x.test', password: bob.password })
  for (const page of pages) await browser.get(page)
  await browser.post(profile, { _method: 'DELETE', password: bob.password })
}

/** Does everything that is done for jobs, and runs each job that the service pushes by itself. */
async function workAll(served: OpenApp): Promise<void> {
  const { db } = served
  const now = served.now()
  const due = { now, beyond: new Date(now.getTime() + 60_000) }
  const names = Object.keys(work) as JobName[]
  const { signal } = new AbortController()
  for (const { name } of schedule)
    await (work[name].run as (app: OpenApp, payload: object, signal: AbortSignal) => Promise<void>)(
      served,
      {},
      signal,
    )
  const job = { name: 'prune-jobs', payload: '{}', at: now }
  await db.transaction(async (tx) => {
    await jobs.insertIfNone(tx, job)
    await jobs.cancel(tx, await jobs.insert(tx, { ...job, due: due.beyond }))
    await jobs.cancelLater(tx, { name: 'VerifyMail', userId: 1, after: now, until: due.beyond })
  })
  await jobs.dueNames(db, names, due)
  const claim = { name: 'prune-jobs', by: 'one', ...due }
  const claimed = await jobs.claim(db, claim)
  const own = { id: claimed?.id ?? 0, by: 'one', tries: claimed?.tries ?? 0 }
  await jobs.runAgain(db, { ...own, at: now, error: 'no' })
  await jobs.fail(db, { ...own, at: now, error: 'no' })
  await jobs.finish(db, own)
  await jobs.releaseUnused(db, own)
  await jobs.releaseOfStopping(db, 'one')
  await db.transaction((tx) =>
    jobs.releaseOfDead(tx, { by: 'one', runs: 10, at: now, error: 'no' }),
  )
  await jobs.claims(db)
  await jobs.waitingNames(db)
}

test('no statement of a request, a job or a prune reads the whole of a table that grows', async () => {
  const { app, served, fullReads } = await withMany()
  const browser = await registeredBrowser(app, ann)
  const user = await users.byEmailKey(app.db, ann.email)
  if (!user) throw new Error('Ann is not there.')
  await callApi(app, `Bearer ${await addToken(app, user)}`)
  await useAll(app, browser)
  expect(app.logLines.filter(({ level }) => level === 'error')).toEqual([])
  expect(await users.byId(app.db, user.id)).toBe(undefined)
  await workAll(served)
  expect(
    [...fullReads],
    'Give each of these an index, and a table that is empty here rows in `addOtherRows` of `#testing/many-users`.',
  ).toEqual([])
})
