import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { sendRaw } from '../../testing/network/raw-request.ts'
import { testApp } from '../../testing/test-app.ts'
import { beginTwoFactorSetup, verifiedBrowser } from '../../testing/two-factor.ts'

/** Returns the login page as sent to a browser that accepts these codings. */
async function sentTo(accepted: string, path = '/login') {
  const app = await testApp()
  const { headers, body } = await sendRaw(
    app.port,
    `GET ${path} HTTP/1.1\r\nHost: app.test\r\nConnection: close\r\nAccept-Encoding: ${accepted}\r\n\r\n`,
  )
  return { headers, bytes: Buffer.from(body, 'latin1') }
}

test('a page is sent as Brotli to a browser that accepts it', async () => {
  const { headers, bytes } = await sentTo('gzip, br')
  expect(headers).toMatchObject({
    'content-encoding': 'br',
    vary: 'X-Page, X-Inertia, Accept-Language, Accept-Encoding',
  })
  expect(brotliDecompressSync(bytes).toString()).toMatch(/^<!doctype html>.*<\/html>$/s)
})

test('a page is sent as gzip to a browser that accepts no Brotli', async () => {
  const { headers, bytes } = await sentTo('gzip, br;q=0')
  expect(headers).toMatchObject({
    'content-encoding': 'gzip',
    vary: 'X-Page, X-Inertia, Accept-Language, Accept-Encoding',
  })
  expect(gunzipSync(bytes).toString()).toMatch(/^<!doctype html>.*<\/html>$/s)
})

test('a page is sent uncompressed to a browser that accepts no coding, and varies by Accept-Encoding', async () => {
  const { headers, bytes } = await sentTo('identity')
  expect(headers).not.toHaveProperty('content-encoding')
  expect(headers['vary']).toBe('X-Page, X-Inertia, Accept-Language, Accept-Encoding')
  expect(bytes.toString()).toMatch(/^<!doctype html>.*<\/html>$/s)
})

test('the page that shows the secret for an authenticator app is not compressed', async () => {
  const app = await testApp()
  const browser = await verifiedBrowser(app)
  const page = async (search = '') => {
    const headers = { 'Accept-Encoding': 'gzip, br' }
    const visit = await browser.document(`/settings/security${search}`, undefined, { headers })
    return visit.headers['content-encoding']
  }
  const before = await page()
  const secret = await beginTwoFactorSetup(browser)
  expect([before, await page(), await page(`?a=${secret}`)]).toEqual(['br', undefined, undefined])
})

test('a short response is not compressed', async () => {
  const { headers, bytes } = await sentTo('br', '/up')
  expect(headers).not.toHaveProperty('content-encoding')
  expect(bytes.toString()).toBe('up')
})

test('only the first twenty codings in Accept-Encoding are read', async () => {
  const { headers } = await sentTo(`${','.repeat(19)}br`)
  const beyond = await sentTo(`${','.repeat(20)}br`)
  expect([headers['content-encoding'], beyond.headers['content-encoding']]).toEqual([
    'br',
    undefined,
  ])
})

test('an Accept-Encoding header full of spaces does not slow the server down', async () => {
  const app = await testApp()
  const accepted = `a${' '.repeat(14_000)}b`
  // Each once took a third of a second: together longer than a test's timeout.
  for (let at = 0; at < 100; at++) {
    await app.browser().document('/login', undefined, { headers: { 'Accept-Encoding': accepted } })
  }
  expect(app.logLines).toHaveLength(100)
})
