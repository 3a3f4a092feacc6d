import { expect, test } from 'vitest'
import { testApp } from '../testing/test-app.ts'

const style = '/assets/style-test.css'

/** What a browser that takes these codings is sent. */
async function sentTo(accepted: string) {
  const app = await testApp()
  return app.browser().send('GET', style, { headers: { 'Accept-Encoding': accepted } })
}

test('a file of the pages is kept for ever', async () => {
  const app = await testApp()
  const visit = await app.browser().send('GET', style)
  expect(visit).toMatchObject({
    status: 200,
    body: 'a{}',
    headers: {
      'content-type': 'text/css',
      'cache-control': 'public, max-age=31536000, immutable',
      etag: '"style"',
      vary: 'Accept-Encoding',
    },
  })
})

test('a file of the pages goes out as brotli to who takes it', async () => {
  const visit = await sentTo('gzip, deflate, BR;q=0.5')
  expect(visit.body).toBe('br')
  expect(visit.headers).toMatchObject({ 'content-encoding': 'br', etag: '"style-br"' })
})

test('a file of the pages goes out as gzip to who takes no brotli', async () => {
  const visit = await sentTo('br;q=0, gzip; q=1.0')
  expect(visit.body).toBe('gzip')
  expect(visit.headers).toMatchObject({ 'content-encoding': 'gzip', etag: '"style-gzip"' })
})

test('a file of the pages goes out as it is to who takes neither', async () => {
  const visit = await sentTo('br; q=0.000, gzip;q=0, brotli')
  expect(visit.body).toBe('a{}')
  expect(visit.headers).not.toHaveProperty('content-encoding')
})

test('a file that the browser has is a 304 with no body', async () => {
  const app = await testApp()
  const headers = { 'Accept-Encoding': 'br', 'If-None-Match': '"other", W/"style-br"' }
  const visit = await app.browser().send('GET', style, { headers })
  expect(visit).toMatchObject({ status: 304, body: '', headers: { etag: '"style-br"' } })
})

test('a file that the browser has in another coding is sent again', async () => {
  const app = await testApp()
  const headers = { 'Accept-Encoding': 'gzip', 'If-None-Match': '"style-br"' }
  expect((await app.browser().send('GET', style, { headers })).status).toBe(200)
})

test('HEAD of a file has its headers and no body', async () => {
  const app = await testApp()
  const visit = await app.browser().send('HEAD', style)
  expect(visit).toMatchObject({
    status: 200,
    body: '',
    headers: { etag: '"style"', 'content-type': 'text/css' },
  })
})

test('a file needs no database and sets no cookie', async () => {
  const app = await testApp()
  await app.db.close()
  const visit = await app.browser().send('GET', style)
  expect(visit.status).toBe(200)
  expect(visit.headers).not.toHaveProperty('set-cookie')
})
