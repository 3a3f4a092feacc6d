import { truncateSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { ann, registeredBrowser } from '../../testing/people.ts'
import { chosen, png, pngOfBytes } from '../../testing/formats/photos.ts'
import { sendRaw } from '../../testing/network/raw-request.ts'
import { allLogins, allUsers } from '../../testing/database/rows.ts'
import { testApp, type TestApp } from '../../testing/test-app.ts'
import type { Browser } from '../../testing/browser.ts'

const to = '/settings/profile/photo'
const photo = png()

/** Ann, with a photo. */
async function opened(content: Uint8Array = photo, options = {}) {
  const app = await testApp(options)
  const browser = await registeredBrowser(app, ann)
  await browser.upload(to, chosen(content), {}, { stay: true })
  return { app, browser, link: await linkOf(browser) }
}

async function linkOf(browser: Browser): Promise<string> {
  return (await browser.get('/verify-email')).user?.photo ?? ''
}

function ask(app: TestApp, link: string, headers: Record<string, string> = {}, method = 'GET') {
  return app.browser().send(method, link, { headers: { 'X-Page': 'true', ...headers } })
}

/** The path of the photo's file. */
async function pathOf(app: TestApp): Promise<string> {
  const key = (await allUsers(app.db))[0]?.photo ?? ''
  return join(app.config.files.disk === 'local' ? app.config.files.path : '', key)
}

test('a signed photo link returns the photo, with headers that forbid scripts in it and frames around it', async () => {
  const { app, link } = await opened()
  const file = await ask(app, link)
  expect(file).toMatchObject({
    status: 200,
    headers: {
      'content-type': 'image/png',
      'content-length': String(photo.length),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'content-disposition': 'inline; filename="photo.png"',
      'accept-ranges': 'bytes',
    },
  })
  expect(file.body).toBe(photo.toString())
})

test('pages of the sites in CORS_ORIGINS may read a photo, and pages of other sites may not', async () => {
  const site = 'https://www.example.com'
  const { app, link } = await opened(photo, { config: { corsOrigins: [site] } })
  const origins = [site, 'https://evil.test']
  const answers = await Promise.all(origins.map((Origin) => ask(app, link, { Origin })))
  const allowed = answers.map(({ headers }) => headers['access-control-allow-origin'])
  expect(answers.map(({ headers }) => headers.vary)).toEqual(['Origin', 'Origin'])
  expect(allowed).toEqual([site, undefined])
})

test('an unsigned or altered link, a path outside the store and a missing file get a 404', async () => {
  const { app, browser, link } = await opened()
  const [path = '', token = ''] = link.split('?token=')
  const [expiry = '', mac = ''] = token.split('.')
  const later = (Number.parseInt(expiry, 36) + 1).toString(36)
  const links = [
    path,
    `${path}?token=`,
    `${path}?token=${later}.${mac}`,
    `${path}?token=${expiry}.${mac.slice(0, -1)}${mac.endsWith('A') ? 'Q' : 'A'}`,
    `${path.replace('.png', '.webp')}?token=${token}`,
    `/files/..%2Fapp.db?token=${token}`,
    '/files/%00',
  ]
  const answers = await Promise.all(links.map((link) => ask(app, link)))
  rmSync(await pathOf(app))
  const gone = await ask(app, link)
  expect(answers.map(({ status }) => status)).toEqual(links.map(() => 404))
  expect([gone.status, gone.component]).toEqual([404, 'Error'])
  expect((await browser.get('/verify-email')).user?.photo).toBe(link)
})

test('a photo link is valid until the end of the next day, and stays the same all day', async () => {
  const { app, browser, link } = await opened()
  const first = await ask(app, link)
  await app.pass({ hours: 1, minutes: 59 })
  const same = await linkOf(browser)
  await app.pass({ hours: 1, minutes: 59 })
  await browser.get('/verify-email')
  await app.pass({ days: 1, hours: 10, minutes: 1, seconds: 59 })
  const last = await ask(app, link)
  await app.pass({ seconds: 1 })
  const over = await ask(app, link)
  expect(same).toBe(link)
  expect(first.headers['cache-control']).toBe(`private, max-age=${38 * 60 * 60}`)
  expect([last.status, last.headers['cache-control']]).toEqual([200, 'private, max-age=1'])
  expect(over.status).toBe(404)
})

test('the photo link of a deleted account gets a 404, even while the file waits to be deleted', async () => {
  const { app, browser, link } = await opened()
  await browser.post('/settings/profile', { _method: 'DELETE', password: ann.password })
  expect(await allUsers(app.db)).toEqual([])
  expect((await ask(app, link)).status).toBe(404)
})

test('the link of a replaced photo gets a 404, even while the file waits to be deleted', async () => {
  const { app, browser, link } = await opened()
  await browser.upload(to, chosen(photo), {}, { stay: true })
  const fresh = await linkOf(browser)
  expect([(await ask(app, link)).status, (await ask(app, fresh)).status]).toEqual([404, 200])
})

test('a photo has a different link on another day', async () => {
  const { app, browser, link } = await opened()
  await app.pass({ hours: 13, minutes: 59 })
  const again = await registeredBrowser(app, { ...ann, email: 'other@x.test' })
  expect(await linkOf(again)).toBe('')
  await app.pass({ minutes: 1 })
  const login = await browser.post('/login', { email: ann.email, password: ann.password })
  expect(login.user?.photo).toMatch(/^\/files\/photos\//)
  expect(login.user?.photo).not.toBe(link)
})

test('a photo link signed with a previous key is valid, and one signed with a dropped key is not', async () => {
  const [old, fresh, other] = [randomBytes(32), randomBytes(32), randomBytes(32)]
  const keys = [old] as [Buffer, ...Buffer[]]
  const { app, link } = await opened(photo, { config: { keys } })
  const { files, database } = app.config
  const rotated = await testApp({ config: { files, database, keys: [fresh, old] } })
  const changed = await testApp({ config: { files, database, keys: [other, fresh] } })
  expect((await ask(rotated, link)).status).toBe(200)
  expect((await ask(changed, link)).status).toBe(404)
})

test('a conditional request gets a 304 only if the photo is unchanged', async () => {
  const { app, link } = await opened()
  const { headers } = await ask(app, link)
  const modified = headers['last-modified'] ?? ''
  const before = new Date(Date.parse(modified) - 1000).toUTCString()
  const conditions: Record<string, string>[] = [
    { 'If-None-Match': headers.etag ?? '' },
    { 'If-None-Match': `"other", W/${headers.etag}` },
    { 'If-None-Match': '*' },
    { 'If-Modified-Since': modified },
    { 'If-None-Match': '"other"' },
    { 'If-None-Match': '"other"', 'If-Modified-Since': modified },
    { 'If-Modified-Since': before },
    { 'If-Modified-Since': 'yesterday' },
  ]
  const answers = await Promise.all(conditions.map((headers) => ask(app, link, headers)))
  expect(answers.map(({ status }) => status)).toEqual([304, 304, 304, 304, 200, 200, 200, 200])
  expect(answers[0]?.headers).toMatchObject({ etag: headers.etag, 'last-modified': modified })
  expect(answers[0]?.body).toBe('')
})

test('the modification time of a file is compared in whole seconds', async () => {
  const { app, link } = await opened()
  utimesSync(await pathOf(app), 1_700_000_000.9, 1_700_000_000.9)
  const { headers } = await ask(app, link)
  const again = await ask(app, link, { 'If-Modified-Since': headers['last-modified'] ?? '' })
  expect(again.status).toBe(304)
})

test('a range request gets the requested part of the photo', async () => {
  const { app, link } = await opened()
  const parts = await Promise.all(
    ['bytes=1-3', 'bytes=60-', 'bytes=-7', 'bytes=0-999', 'bytes=-999'].map((range) =>
      ask(app, link, { Range: range }),
    ),
  )
  expect(parts.map(({ status, headers }) => [status, headers['content-range']])).toEqual([
    [206, 'bytes 1-3/67'],
    [206, 'bytes 60-66/67'],
    [206, 'bytes 60-66/67'],
    [206, 'bytes 0-66/67'],
    [206, 'bytes 0-66/67'],
  ])
  expect(parts[0]?.body).toBe('PNG')
  expect(parts.map(({ headers }) => headers['content-length'])).toEqual(['3', '7', '7', '67', '67'])
})

test('a range outside the photo gets a 416, and an invalid or multiple range gets the whole photo', async () => {
  const { app, link } = await opened()
  const ranges = [
    'bytes=67-',
    'bytes=-0',
    'bytes=0-1,3-4',
    'bytes=3-1',
    'lines=0-1',
    'bytes=-',
    'x',
  ]
  const answers = await Promise.all(ranges.map((range) => ask(app, link, { Range: range })))
  expect(answers.map(({ status }) => status)).toEqual([416, 416, 200, 200, 200, 200, 200])
  expect(answers[0]?.headers).toMatchObject({
    'content-range': 'bytes */67',
    'cache-control': 'no-store, private',
  })
})

test('a range request with If-Range gets the part only if the photo is unchanged', async () => {
  const { app, link } = await opened()
  const { headers } = await ask(app, link)
  const known = [headers.etag, headers['last-modified'], '"other"', 'W/"x"']
  const answers = await Promise.all(
    known.map((known = '') => ask(app, link, { Range: 'bytes=0-0', 'If-Range': known })),
  )
  expect(answers.map(({ status }) => status)).toEqual([206, 206, 200, 200])
})

test('a HEAD request for a photo returns its full length and does not read the file', async () => {
  const { app, link } = await opened()
  const files = { ...app.files }
  let reads = 0
  const counted = async (key: string) => {
    const file = await files.open(key)
    return file && { ...file, read: () => (reads++, file.read()) }
  }
  Object.assign(app.files, { open: counted })
  const head = await ask(app, link, { Range: 'bytes=0-1' }, 'HEAD')
  expect(head).toMatchObject({ status: 200, headers: { 'content-length': '67' }, body: '' })
  expect(reads).toBe(0)
})

test('a file that ends early cuts the connection and logs an error', async () => {
  const { app, link } = await opened(pngOfBytes(2 * 1024 * 1024))
  const files = { ...app.files }
  const cut = async (key: string) => {
    const file = await files.open(key)
    truncateSync(await pathOf(app), 1_000_000)
    return file
  }
  Object.assign(app.files, { open: cut })
  const request = `GET ${link} HTTP/1.1\r\nHost: app.test\r\n\r\n`
  const { status, headers, body } = await sendRaw(app.port, request)
  expect([status, headers['content-length'], body.length]).toEqual([200, '2097152', 1_000_000])
  expect(app.logLines.filter(({ level }) => level === 'error')).toMatchObject([
    { message: 'a file was not sent whole' },
  ])
})

test('an empty file is answered with an empty body', async () => {
  const { app, link } = await opened()
  truncateSync(await pathOf(app), 0)
  expect(await ask(app, link)).toMatchObject({ status: 200, body: '' })
})

test('fetching a photo sets no cookie, does not extend the login and leaves the flash unread', async () => {
  const { app, browser, link } = await opened()
  await browser.post('/verify-email', {}, { stay: true })
  const before = await allLogins(app.db)
  // A visit would now extend the login.
  await app.pass({ minutes: 2 })
  const fetched = await browser.send('GET', link)
  await app.awaitWrites()
  expect([fetched.status, fetched.headers['set-cookie']]).toEqual([200, undefined])
  expect(await allLogins(app.db)).toEqual(before)
  expect((await browser.get('/verify-email')).flash).toHaveProperty('success')
})
