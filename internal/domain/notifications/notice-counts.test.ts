import { expect, test } from 'vitest'
import { users } from '#db/users'
import { ann, registeredBrowser } from '../../testing/people.ts'
import { addNotifications, doubleNotifications } from '../../testing/database/notification-rows.ts'
import { allJobs, allNotifications } from '../../testing/database/rows.ts'
import { testApp } from '../../testing/test-app.ts'
import { turnOn, verifiedBrowser } from '../../testing/two-factor.ts'
import { betweenLooks, mostKept, mostMailed } from './notice-counts.ts'
import { notify } from './notify.ts'

test('at most twenty notices of a kind are mailed in a minute; all are stored, and those of other kinds are mailed', async () => {
  const app = await testApp()
  const browser = await verifiedBrowser(app)
  const makeToken = () =>
    browser.post('/settings/tokens', { name: 'CI', abilities: 'user:read', expiry: '30' })
  const mailed = async () =>
    (await allJobs(app.db)).flatMap(({ name, payload }) =>
      name === 'notification-mail' ? [(JSON.parse(payload) as { kind: string }).kind] : [],
    )
  for (let time = 0; time < mostMailed + 2; time++) await makeToken()
  await turnOn(app, browser)
  await browser.post('/settings/two-factor', { _method: 'DELETE' })
  const tokens = Array.from({ length: mostMailed }, () => 'token-created')
  expect(await mailed()).toEqual([...tokens, 'two-factor-disabled'])
  expect(await allNotifications(app.db)).toHaveLength(mostMailed + 3)
  await app.pass({ minutes: 1 })
  await makeToken()
  expect(await mailed()).toEqual([...tokens, 'two-factor-disabled', 'token-created'])
})

test('only the last twenty thousand notifications of an account that is notified without end are kept', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  await addNotifications(app.db, { userId: 1, count: 650, at: app.now() })
  for (let rows = 650; rows < mostKept; rows *= 2) await doubleNotifications(app.db)
  const user = await users.byId(app.db, 1)
  if (!user) throw new Error('There is no account.')
  for (let time = 0; time < betweenLooks; time++)
    await app.db.transaction((tx) => notify(app, tx, user, { kind: 'password-removed', data: {} }))
  await expect.poll(async () => (await allNotifications(app.db)).length).toBe(mostKept)
})
