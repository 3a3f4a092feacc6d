import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { sendRaw } from '../../testing/raw.ts'
import { testApp } from '../../testing/test-app.ts'

/** The login page as it is sent to a browser that takes these codings. */
async function sentTo(accepted: string, path = '/login') {
  const app = await testApp()
  const { headers, body } = await sendRaw(
    app.port,
    `GET ${path} HTTP/1.1\r\nHost: app.test\r\nConnection: close\r\nAccept-Encoding: ${accepted}\r\n\r\n`,
  )
  return { headers, bytes: Buffer.from(body, 'latin1') }
}

test('a page goes out as brotli to who takes it', async () => {
  const { headers, bytes } = await sentTo('gzip, br')
  expect(headers).toMatchObject({
    'content-encoding': 'br',
    vary: 'X-Page, X-Inertia, Accept-Language, Accept-Encoding',
  })
  expect(brotliDecompressSync(bytes).toString()).toMatch(/^<!doctype html>.*<\/html>$/s)
})

test('a page goes out as gzip to who takes no brotli', async () => {
  const { headers, bytes } = await sentTo('gzip, br;q=0')
  expect(headers).toMatchObject({
    'content-encoding': 'gzip',
    vary: 'X-Page, X-Inertia, Accept-Language, Accept-Encoding',
  })
  expect(gunzipSync(bytes).toString()).toMatch(/^<!doctype html>.*<\/html>$/s)
})

test('a page goes out as it is to who takes neither, and says that others get another', async () => {
  const { headers, bytes } = await sentTo('identity')
  expect(headers).not.toHaveProperty('content-encoding')
  expect(headers['vary']).toBe('X-Page, X-Inertia, Accept-Language, Accept-Encoding')
  expect(bytes.toString()).toMatch(/^<!doctype html>.*<\/html>$/s)
})

test('a short answer goes out as it is', async () => {
  const { headers, bytes } = await sentTo('br', '/up')
  expect(headers).not.toHaveProperty('content-encoding')
  expect(bytes.toString()).toBe('up')
})

test('a header full of spaces holds nobody up', async () => {
  const app = await testApp()
  const accepted = `a${' '.repeat(14_000)}b`
  // Each took a third of a second once: together longer than a test may.
  for (let at = 0; at < 100; at++) {
    await app.browser().document('/login', undefined, { headers: { 'Accept-Encoding': accepted } })
  }
  expect(app.logged).toHaveLength(100)
})
