import { expect, test } from 'vitest'
import { testAssets } from '../../testing/assets.ts'
import { testApp } from '../../testing/test-app.ts'

const style = '/assets/style-test.css'
const { identity, br, gzip } = testAssets.find(style) ?? {}
const content = String(identity)
const lengths = { br: String(br?.length), gzip: String(gzip?.length) }

/** Returns the answer for a browser that accepts these codings. */
async function sentTo(accepted: string) {
  const app = await testApp()
  return app.browser().send('GET', style, { headers: { 'Accept-Encoding': accepted } })
}

test('an asset may be cached for a year and is immutable', async () => {
  const app = await testApp()
  const visit = await app.browser().send('GET', style)
  expect(visit).toMatchObject({
    status: 200,
    body: content,
    headers: {
      'content-type': 'text/css; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      etag: testAssets.find(style)?.etag,
      vary: 'Accept-Encoding',
    },
  })
})

test('a text asset names its charset', async () => {
  const app = await testApp()
  const visit = await app.browser().send('GET', '/assets/icon-test.svg')
  expect(visit.headers['content-type']).toBe('image/svg+xml; charset=utf-8')
})

test('an asset is sent as Brotli to a browser that accepts it', async () => {
  const visit = await sentTo('gzip, deflate, BR;q=0.5')
  expect(visit.headers).toMatchObject({ 'content-encoding': 'br', 'content-length': lengths.br })
})

test('an asset is sent as gzip to a browser that accepts no Brotli', async () => {
  const visit = await sentTo('br;q=0, gzip; q=1.0')
  expect(visit.headers).toMatchObject({
    'content-encoding': 'gzip',
    'content-length': lengths.gzip,
  })
})

test('an asset is sent uncompressed to a browser that accepts neither Brotli nor gzip', async () => {
  const visit = await sentTo('br; q=0.000, gzip;q=0, brotli')
  expect(visit.body).toBe(content)
  expect(visit.headers).not.toHaveProperty('content-encoding')
})

test('an asset has a different ETag in each coding', async () => {
  const visits = [await sentTo('br'), await sentTo('gzip'), await sentTo('')]
  expect(new Set(visits.map(({ headers }) => headers.etag)).size).toBe(3)
})

test('an asset that the browser already has gets a 304 without a body', async () => {
  const app = await testApp()
  const { etag = '' } = (await sentTo('br')).headers
  const strong = etag.replace('W/', '')
  const known = [etag, `"other", ${etag}`, strong, `W/"other",${strong}`, '*']
  const visits = await Promise.all(
    known.map((tags) =>
      app
        .browser()
        .send('GET', style, { headers: { 'Accept-Encoding': 'br', 'If-None-Match': tags } }),
    ),
  )
  expect(visits.map(({ status, body, headers }) => [status, body, headers.etag])).toEqual(
    known.map(() => [304, '', etag]),
  )
})

test('an asset that the browser has in another coding is sent again', async () => {
  const app = await testApp()
  const { etag = '' } = (await sentTo('br')).headers
  const headers = { 'Accept-Encoding': 'gzip', 'If-None-Match': etag }
  expect((await app.browser().send('GET', style, { headers })).status).toBe(200)
})

test('a HEAD of an asset has its headers and no body', async () => {
  const app = await testApp()
  const visit = await app.browser().send('HEAD', style)
  expect(visit).toMatchObject({
    status: 200,
    body: '',
    headers: {
      'content-length': String(content.length),
      'content-type': 'text/css; charset=utf-8',
    },
  })
})

test('an asset needs no database and sets no cookie', async () => {
  const app = await testApp()
  await app.db.close()
  const visit = await app.browser().send('GET', style)
  expect(visit.status).toBe(200)
  expect(visit.headers).not.toHaveProperty('set-cookie')
})
