import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#db/driver'
import { users } from '#db/users'
import { addColumns } from '../testing/database/added-columns.ts'
import { addUser } from '../testing/database/user-rows.ts'
import { temporaryDatabase } from '../testing/database/database.ts'
import { ann, logIn, registeredBrowser } from '../testing/people.ts'
import { allUsers, verifyEmails } from '../testing/database/rows.ts'
import { testApp, type TestApp } from '../testing/test-app.ts'
import { addToken, callApi } from '../testing/tokens.ts'
import type { DatabaseAddress } from '../base/settings/config.ts'

/** By another process. */
async function addElsewhere(address: DatabaseAddress): Promise<void> {
  const next = await openDatabase(address)
  onTestFinished(() => next.close())
  await addColumns(next)
}

/** Logs in, visits pages, changes something, calls the API and leaves. */
async function live(app: TestApp, name: string, token: string): Promise<number[]> {
  const browser = app.browser()
  const visits = [
    await logIn(browser, ann),
    await browser.get('/dashboard'),
    await browser.post('/settings/profile', { _method: 'PATCH', name, email: ann.email }),
    await browser.post('/settings/tokens', { name, abilities: 'user:read', expiry: '30' }),
    await callApi(app, `Bearer ${token}`),
    await browser.post('/logout'),
  ]
  return visits.map(({ status }) => status)
}

const names = ['Ada', 'Bee', 'Cara', 'Dora']

test('no request fails after another process adds columns to the tables in use', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  const [user] = await allUsers(app.db)
  if (!user) throw new Error('Nobody has registered.')
  await verifyEmails(app.db, app.now())
  const token = await addToken(app, user)
  const liveAll = () => Promise.all(names.map((name) => live(app, name, token)))
  const before = await liveAll()
  await addElsewhere(app.config.database)
  await app.pass({ minutes: 2 })
  const after = await liveAll()
  expect(after).toEqual(before)
  expect(new Set(after.flat())).toEqual(new Set([200]))
  expect(app.logLines.filter(({ level }) => level === 'error')).toEqual([])
})

test('every query for a row returns a column that another process added', async () => {
  const { db, address } = await temporaryDatabase()
  const { id } = await addUser(db)
  const look = async () => [
    await users.byId(db, id),
    ...(await db.transaction((tx) => Promise.all([users.hold(tx, id), users.byId(tx, id)]))),
  ]
  await look()
  await addElsewhere(address)
  expect(await look()).toMatchObject(Array.from({ length: 3 }, () => ({ id, mascot: null })))
})
