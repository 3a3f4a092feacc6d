import { expect, test } from 'vitest'
import { ann, bob, registeredBrowser } from '../../testing/people.ts'
import { allBroadcasts } from '../../testing/database/broadcast-rows.ts'
import { addNotification, addNotifications } from '../../testing/database/notification-rows.ts'
import { allNotifications, verifyEmails } from '../../testing/database/rows.ts'
import { openStream } from '../../testing/network/event-stream.ts'
import { testApp, type TestApp } from '../../testing/test-app.ts'
import type { NotificationList } from '../../../web/contract/pages.ts'
import type { Browser, SendOptions, Visit } from '../../testing/browser.ts'

function listed({ page }: Visit): NotificationList {
  return page.props['notifications'] as NotificationList
}

function texts(visit: Visit): string[] {
  return listed(visit).data.map(({ text }) => text)
}

function unread({ page }: Visit): number | undefined {
  return page.props.bell?.unread
}

/** Returns Ann's browser, with so many unread notifications; the newest is of a passkey with that number. */
async function withNotifications(count: number): Promise<{ app: TestApp; browser: Browser }> {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  await addNotifications(app.db, { userId: 1, count, at: app.now() })
  return { app, browser }
}

async function countRead(app: TestApp): Promise<number> {
  return (await allNotifications(app.db)).filter(({ readAt }) => readAt !== null).length
}

/** Returns the first line shown to a browser with these languages. */
async function firstLine(browser: Browser, languages?: string) {
  const sending: SendOptions = languages ? { headers: { 'Accept-Language': languages } } : {}
  const [line] = listed(await browser.get('/notifications', sending)).data
  return { text: line?.text, language: line?.language }
}

test('a user without notifications gets one empty page', async () => {
  const { browser } = await withNotifications(0)
  const visit = await browser.get('/notifications')
  expect(visit.component).toBe('Notifications')
  expect(listed(visit)).toEqual({ data: [], page: 1, pages: 1, total: 0 })
})

test('open pages get an event when notifications become read, and none when a page shows no unread ones', async () => {
  const { app, browser } = await withNotifications(21)
  const stream = await openStream(app.port, browser)
  await browser.get('/notifications')
  await browser.get('/notifications')
  await browser.get('/notifications?page=2')
  await stream.events('notification', 'notification')
  expect(await allBroadcasts(app.db)).toHaveLength(2)
})

test('of twenty simultaneous requests for the same unread notification, one publishes an event', async () => {
  const { app, browser } = await withNotifications(1)
  await Promise.all(Array.from({ length: 20 }, () => browser.get('/notifications')))
  expect(await allBroadcasts(app.db)).toHaveLength(1)
})

test('notifications are listed newest first, twenty to a page', async () => {
  const { browser } = await withNotifications(41)
  const [first, second, third] = [
    await browser.get('/notifications'),
    await browser.get('/notifications?page=2'),
    await browser.get('/notifications?page=3'),
  ]
  expect(listed(first)).toMatchObject({ page: 1, pages: 3, total: 41 })
  expect(texts(first)).toHaveLength(20)
  expect(texts(first).slice(0, 2)).toEqual([
    'A passkey was added to your account: 41',
    'A passkey was added to your account: 40',
  ])
  expect(texts(second)).toEqual(
    Array.from({ length: 20 }, (_, n) => `A passkey was added to your account: ${21 - n}`),
  )
  expect(texts(third)).toEqual(['A passkey was added to your account: 1'])
})

test('a page number beyond the last shows the last page, and an invalid number shows the first', async () => {
  const { browser } = await withNotifications(21)
  const pages = [
    await browser.get('/notifications?page=3'),
    await browser.get('/notifications?page=999999999'),
    await browser.get('/notifications?page=9999999999999999999'),
    await browser.get('/notifications?page=0'),
    await browser.get('/notifications?page=-1'),
    await browser.get('/notifications?page=1.5'),
    await browser.get('/notifications?page=two'),
    await browser.get('/notifications?page='),
  ]
  expect(pages.map((visit) => [visit.status, listed(visit).page])).toEqual(
    [2, 2, 1, 1, 1, 1, 1, 1].map((page) => [200, page]),
  )
})

test('the notifications on a page become read, and those on other pages and of other users stay unread', async () => {
  const { app, browser } = await withNotifications(25)
  await registeredBrowser(app, bob)
  await addNotifications(app.db, { userId: 2, count: 1, at: app.now() })
  await app.pass({ minutes: 1 })
  await browser.get('/notifications')
  const rows = await allNotifications(app.db)
  const read = rows.filter(({ readAt }) => readAt?.getTime() === app.now().getTime())
  expect(read.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, i) => i + 6))
  expect(rows.filter(({ readAt }) => readAt === null)).toHaveLength(6)
})

test('a notification is shown as unread once, and keeps the time when it was first read', async () => {
  const { app, browser } = await withNotifications(1)
  const at = app.now().toISOString()
  const first = await browser.get('/notifications')
  await app.pass({ minutes: 1 })
  await addNotifications(app.db, { userId: 1, count: 1, at: app.now() })
  const second = await browser.get('/notifications')
  const now = app.now().toISOString()
  expect(listed(first).data).toMatchObject([{ id: 1, unread: true, readAt: at, createdAt: at }])
  expect(listed(second).data).toMatchObject([
    { id: 2, unread: true, readAt: now, createdAt: now },
    { id: 1, unread: false, readAt: at, createdAt: at },
  ])
})

test('the bell does not count the notifications that its page shows', async () => {
  const { browser } = await withNotifications(25)
  const before = await browser.get('/verify-email')
  const [first, second] = [
    await browser.get('/notifications'),
    await browser.document('/notifications?page=2'),
  ]
  expect([before, first, second].map(unread)).toEqual([25, 5, 0])
})

test('the bell counts at most 100 unread notifications, and shows more than 99 as 99+', async () => {
  const { app, browser } = await withNotifications(99)
  await verifyEmails(app.db, app.now())
  expect(unread(await browser.get('/dashboard'))).toBe(99)
  await addNotifications(app.db, { userId: 1, count: 22, at: app.now() })
  const visit = await browser.document('/dashboard')
  expect(unread(visit)).toBe(100)
  expect(visit.body).toContain('99+')
  expect(visit.body).toContain('More than 99 unread notifications')
  const list = await browser.get('/notifications')
  expect(unread(list)).toBe(100)
  expect(listed(list).total).toBe(121)
  expect(unread(await browser.get('/notifications?page=2'))).toBe(81)
})

test('a prefetch, a HEAD, an old build and a reload of other props mark no notification as read', async () => {
  const { app, browser } = await withNotifications(1)
  await browser.get('/notifications', { headers: { Purpose: 'prefetch' } })
  const prefetched = await browser.get('/notifications', { headers: { 'Sec-Purpose': 'prefetch' } })
  const head = await browser.send('HEAD', '/notifications')
  const stale = await browser.get('/notifications', { headers: { 'X-Page-Version': 'old' } })
  const partial = await browser.get('/notifications', {
    headers: { 'X-Page-Partial-Component': 'Notifications', 'X-Page-Partial-Data': 'bell' },
  })
  expect([head.status, stale.status]).toEqual([200, 409])
  expect(listed(prefetched).data).toMatchObject([{ unread: true, readAt: null }])
  expect([unread(prefetched), unread(partial)]).toEqual([1, 1])
  expect(await countRead(app)).toBe(0)
  await browser.get('/notifications', {
    headers: {
      'X-Page-Partial-Component': 'Notifications',
      'X-Page-Partial-Data': 'notifications',
    },
  })
  expect(await countRead(app)).toBe(1)
})

test('a notification with an unknown kind or invalid data shows a line of its own and becomes read', async () => {
  const { app, browser } = await withNotifications(0)
  const at = app.now()
  await addNotification(app.db, { userId: 1, kind: 'horse-shod', data: '{"a":1}', at })
  await addNotification(app.db, { userId: 1, kind: 'new-login', data: '[]', at })
  await addNotification(app.db, { userId: 1, kind: 'constructor', data: 'null', at })
  const visit = await browser.get('/notifications')
  expect(new Set(texts(visit)).size).toBe(1)
  expect(listed(visit).data.map(({ kind }) => kind)).toEqual([
    'constructor',
    'new-login',
    'horse-shod',
  ])
  expect([unread(visit), await countRead(app)]).toEqual([0, 3])
})

test('the text of a notification is in the reader’s language and names that language', async () => {
  const { browser } = await withNotifications(1)
  const english = { text: 'A passkey was added to your account: 1', language: 'en' }
  const german = { text: 'Ihrem Konto wurde ein Passkey hinzugefügt: 1', language: 'de' }
  expect([
    await firstLine(browser),
    await firstLine(browser, 'de-AT,de;q=0.9,en;q=0.8'),
    await firstLine(browser, 'de;q=0.5,en'),
    await firstLine(browser, 'tlh'),
  ]).toEqual([english, german, english, english])
})

test('/notifications?unread lists only unread notifications, and each request lists the next ones', async () => {
  const { app, browser } = await withNotifications(25)
  const first = await browser.get('/notifications?unread')
  const second = await browser.get('/notifications?unread&page=2')
  const third = await browser.get('/notifications?unread')
  expect([first, second, third].map(({ page }) => page.props['onlyUnread'])).toEqual([
    true,
    true,
    true,
  ])
  expect([first, second, third].map((visit) => ({ ...listed(visit), data: 0 }))).toEqual([
    { data: 0, page: 1, pages: 2, total: 25 },
    { data: 0, page: 1, pages: 1, total: 5 },
    { data: 0, page: 1, pages: 1, total: 0 },
  ])
  expect(listed(first).data.map(({ id }) => id)).toEqual(
    Array.from({ length: 20 }, (_, i) => 25 - i),
  )
  expect(listed(second).data.map(({ id }) => id)).toEqual([5, 4, 3, 2, 1])
  expect([unread(first), await countRead(app)]).toEqual([5, 25])
})

test('an automatic reload of the unread notifications marks only new ones as read', async () => {
  const { app, browser } = await withNotifications(25)
  await browser.get('/notifications?unread')
  await addNotifications(app.db, { userId: 1, count: 1, at: app.now() })
  const unasked = { headers: { 'X-Page-Unasked': 'true' } }
  const again = await browser.get('/notifications?unread', unasked)
  expect(listed(again).data.map(({ id }) => id)).toEqual([26])
  expect(unread(again)).toBe(5)
})

test('a notification links to the page where the user can act on it, and a new login has its address', async () => {
  const { app, browser } = await withNotifications(1)
  const login = { browser: null, system: null, address: '203.0.113.9' }
  const of = { userId: 1, at: app.now() }
  await addNotification(app.db, { ...of, kind: 'new-login', data: JSON.stringify(login) })
  await addNotification(app.db, { ...of, kind: 'email-changed', data: '{"email":"a@x.test"}' })
  await addNotification(app.db, { ...of, kind: 'horse-shod', data: '{}' })
  const notifications = listed(await browser.get('/notifications')).data
  expect(notifications.map(({ href, address }) => [href, address])).toEqual([
    [null, null],
    ['/settings/profile#details', null],
    ['/settings/security#logins', '203.0.113.9'],
    ['/settings/security#passkeys', null],
  ])
})

test('a user without a verified email sees the notifications, and a guest is sent to log in', async () => {
  const { app, browser } = await withNotifications(1)
  expect((await browser.get('/notifications', { stay: true })).status).toBe(200)
  expect((await app.browser().get('/notifications', { stay: true })).location).toBe('/login')
})
