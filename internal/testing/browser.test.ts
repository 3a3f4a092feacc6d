import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { Browser } from './browser.ts'

/** Returns a browser of a server that redirects each path that is a status to `/end`, and the requests to it. */
async function redirected(): Promise<{ browser: Browser; requests: string[] }> {
  const requests: string[] = []
  const server = createServer(async (request, response) => {
    const body = (await request.toArray()).join('')
    requests.push(`${request.method} ${request.url} ${body}`.trim())
    const status = Number(request.url?.slice(1))
    response.writeHead(status || 200, { Location: '/end', 'Set-Cookie': 'a=b' }).end()
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return { browser: new Browser({ origin: 'http://app.test', port, version: 'test' }), requests }
}

test('redirects with status 301, 302 and 303 are followed with GET', async () => {
  const { browser, requests } = await redirected()
  await browser.post('/301', { a: '1' })
  await browser.post('/302', { a: '1' })
  const visit = await browser.post('/303', { a: '1' })
  expect(requests.filter((line) => line.endsWith('/end'))).toEqual([
    'GET /end',
    'GET /end',
    'GET /end',
  ])
  expect(visit).toMatchObject({ status: 200, url: '/end' })
})

test('redirects with status 307 and 308 repeat the request', async () => {
  const { browser, requests } = await redirected()
  await browser.post('/307', { a: '1' })
  await browser.post('/308', { a: '1' })
  expect(requests).toEqual(['POST /307 a=1', 'POST /end a=1', 'POST /308 a=1', 'POST /end a=1'])
})

test('a cookie set by a redirect response is stored', async () => {
  const { browser } = await redirected()
  await browser.get('/303')
  expect(browser.cookies).toEqual(new Map([['a', 'b']]))
})
