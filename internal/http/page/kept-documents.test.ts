import { brotliDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { KeptDocuments } from '../../base/documents/kept-documents.ts'
import type { Browser } from '../../testing/browser.ts'
import { ann, bob, registeredBrowser } from '../../testing/people.ts'
import { addNotification } from '../../testing/database/notification-rows.ts'
import { verifyEmails } from '../../testing/database/rows.ts'
import { testApp, type TestApp } from '../../testing/test-app.ts'

/** Returns a document for a browser that accepts `codings`, and the nonce of its policy. */
async function openDocument(browser: Browser, path: string, codings = 'br') {
  const visit = await browser.document(path, undefined, { headers: { 'Accept-Encoding': codings } })
  const nonce = /'nonce-([^']+)'/.exec(String(visit.headers['content-security-policy']))?.[1] ?? ''
  return { nonce, html: visit.body, coding: visit.headers['content-encoding'] ?? 'identity' }
}

/** Requests a document so often that the last ones are cached, if it is cached at all. */
async function openRepeatedly(app: TestApp, browser: Browser, path: string, times = 4) {
  const documents = []
  for (let n = 0; n < times; n++) {
    documents.push(await openDocument(browser, path))
    await app.awaitWrites()
  }
  return documents
}

test.each([
  '/',
  '/login',
  '/register?a=%F0%9F%90%8D',
  '/dashboard',
  '/settings/profile',
  '/notifications',
])(
  '%s is the same from the cache as rendered, except for its nonce, which is never used twice',
  async (path) => {
    const app = await testApp()
    const browser = /dash|settings|notif/.test(path)
      ? await registeredBrowser(app, ann)
      : app.browser()
    await verifyEmails(app.db, app.now())
    await openDocument(browser, path)
    const kept = await openRepeatedly(app, browser, path)
    expect(app.documents.bytes).toBeGreaterThan(1000)
    const drawn = [
      await openDocument(browser, path, 'identity'),
      await openDocument(browser, path, 'gzip'),
    ]
    const documents = [...kept, ...drawn]
    expect(documents.map(({ coding }) => coding)).toEqual([
      'br',
      'br',
      'br',
      'br',
      'identity',
      'gzip',
    ])
    expect(new Set(documents.map(({ nonce }) => nonce)).size).toBe(documents.length)
    for (const { html, nonce } of documents) {
      expect(html.split(nonce).length).toBeGreaterThan(2)
      expect(html.replaceAll(nonce, 'N')).toBe(drawn[0]?.html.replaceAll(drawn[0].nonce, 'N'))
    }
  },
)

test('users who request the same page at once never get each other’s', async () => {
  const app = await testApp()
  const people = [ann, bob, { ...ann, email: 'ann@y.test' }]
  const browsers = await Promise.all(people.map((person) => registeredBrowser(app, person)))
  for (let round = 0; round < 5; round++) {
    const shows = browsers.map((browser) => openDocument(browser, '/settings/profile'))
    const emails = (await Promise.all(shows)).map(({ html }) => html.match(/\w+@[xy]\.test/g) ?? [])
    expect(emails.map((found) => new Set(found))).toEqual(
      people.map(({ email }) => new Set([email])),
    )
    await app.awaitWrites()
  }
  expect(app.documents.bytes).toBeGreaterThan(0)
})

test('a cached page shows a change at once, and a flash only once', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  await openRepeatedly(app, browser, '/settings/profile')
  const fields = { _method: 'PATCH', name: 'Ann Other', email: ann.email }
  await browser.document('/settings/profile', fields, { stay: true })
  const [saved, after, later] = await openRepeatedly(app, browser, '/settings/profile', 3)
  expect([saved, after, later].map((page) => page?.html.includes('"success":'))).toEqual([
    true,
    false,
    false,
  ])
  expect([saved, after, later].every((page) => page?.html.includes('value="Ann Other"'))).toBe(true)
})

test('a cached page shows the current count of unread notifications', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  await verifyEmails(app.db, app.now())
  const counts = async () => {
    const documents = await openRepeatedly(app, browser, '/dashboard')
    return documents.map(({ html }) => /"bell":\{"unread":(\d+)\}/.exec(html)?.[1])
  }
  const none = await counts()
  expect(app.documents.bytes).toBeGreaterThan(0)
  await addNotification(app.db, { userId: 1, kind: 'password-changed', at: app.now() })
  const one = await counts()
  await browser.get('/notifications')
  expect([none, one, await counts()]).toEqual(['0', '1', '0'].map((n) => [n, n, n, n]))
})

test('the security, reset, verify and 404 pages are not cached', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  for (const path of [
    '/settings/security',
    '/reset-password/a.b?email=ann@x.test',
    '/verify-email',
    '/no-such-page',
  ])
    await openRepeatedly(app, browser, path)
  expect(app.documents.bytes).toBe(0)
})

test('a cached document keeps text that begins like the nonce it was rendered with', async () => {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  for (const letter of letters) {
    const [drawn, nonce] = [`${letter}73vASNFZ4mrze8BI0VniQ==`, 'q83vASNFZ4mrze8BI0VnAQ==']
    const words = `autocapitalize="${letter}ff" spellcheck="false"`
    const html = `<script nonce="${drawn}"></script><input name="" id="" ${words}>`
    const documents = new KeptDocuments()
    await documents.note('key', { html, nonce: drawn })
    await documents.note('key', { html, nonce: drawn })
    const kept = documents.find('key', nonce) ?? Buffer.alloc(0)
    expect(String(brotliDecompressSync(kept))).toBe(html.replaceAll(drawn, nonce))
  }
})

test('only 16 of many documents are compressed at once, and the others when they are requested again', async () => {
  const documents = new KeptDocuments()
  const nonce = 'q83vASNFZ4mrze8BI0VniQ=='
  const keys = Array.from({ length: 40 }, (_, n) => `key ${n}`)
  const isDrawn = (key: string) => !documents.find(key, nonce)
  const comeAtOnce = async () => {
    const drawn = keys.filter(isDrawn)
    await Promise.all(
      drawn.map((key) => documents.note(key, { nonce, html: `<script nonce="${nonce}">${key}` })),
    )
    return keys.length - keys.filter(isDrawn).length
  }
  const kept: number[] = []
  for (let round = 0; round < 4; round++) kept.push(await comeAtOnce())
  expect(kept).toEqual([0, 16, 32, 40])
})

test('the document cache stays within its size and evicts the least recently used document', async () => {
  const documents = new KeptDocuments(2000)
  const nonce = 'q83vASNFZ4mrze8BI0VniQ=='
  const note = (key: string) =>
    documents.note(key, { nonce, html: `<script nonce="${nonce}">${key.repeat(50)}</script>` })
  for (let n = 0; n < 100; n++) {
    await note(`key ${n}`)
    expect(documents.find(`key ${n}`, nonce)).toBeUndefined()
    await note(`key ${n}`)
    expect(documents.find('key 0', nonce)).toBeDefined()
    expect(documents.bytes).toBeLessThanOrEqual(2000)
  }
  expect(documents.find('key 50', nonce)).toBeUndefined()
  expect(documents.find('key 99', nonce)).toBeDefined()
})
