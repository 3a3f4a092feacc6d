import { expect, test } from 'vitest'
import { appName } from '../../../web/contract/name.ts'
import { makeLog } from '../../base/log.ts'
import { sendRaw } from '../../testing/network/raw-request.ts'
import { testApp, type TestApp } from '../../testing/test-app.ts'

const control = /[\p{Cc}\p{Zl}\p{Zp}]/gu
const id = /^[a-z2-7]{26}$/
const mac = 'Aa0-_Aa0-_Aa0-_Aa0-_Aa'

/** Returns the logged paths of the requests so far. */
function paths(app: TestApp): unknown[] {
  return app.logLines
    .filter(({ message }) => message === 'request')
    .map(({ facts }) => facts['path'])
}

/** Returns the log as an operator sees it. */
function written(app: TestApp, format: 'text' | 'json'): string {
  const lines: string[] = []
  const log = makeLog({
    level: 'debug',
    format,
    write: (line) => lines.push(line),
    now: () => app.now(),
  })
  app.logLines.forEach(({ message, facts }) => log.info(message, facts))
  return lines.join('')
}

test('a token in a path is redacted in the log', async () => {
  const app = await testApp()
  const stay = { stay: true }
  await app.browser().get(`/reset-password/t5k3z1.${mac}`)
  await app.browser().get(`/verify-email/7/t5k3z1.${mac}?a=b`, stay)
  await app.browser().get(`/verify-email/7/t5k3z1%2E${mac}`, stay)
  await app.browser().get(`/nowhere/t5k3z1.${mac}`)
  // Refused before any route has identified the token.
  const old = { 'X-Page-Version': 'old' }
  await app.browser().get(`/verify-email/7/t5k3z1%2E${mac}`, { headers: old, ...stay })
  await app.browser().get(`/verify-email/7/%745k3z1.${mac}`, { headers: old, ...stay })
  const evil = { headers: { Origin: 'https://evil.test' }, ...stay }
  await app.browser().post(`/register/passkey/t5k3z1.${mac.replace('A', '%41')}`, {}, evil)
  expect(paths(app)).toEqual([
    '/reset-password/[token]',
    '/verify-email/7/[token]?a=[redacted]',
    '/verify-email/7/[token]',
    '/nowhere/[token]',
    '/verify-email/7/[token]',
    '/verify-email/7/[token]',
    '/register/passkey/[token]',
  ])
})

test('a token in a path is redacted in the log also when percent-encoded or in capitals', async () => {
  const app = await testApp()
  const body = 'xr5a'.repeat(13)
  const [first = '', ...rest] = appName
  const code = first.charCodeAt(0).toString(16)
  const inPlaces = [
    `${appName}%5F${body}`,
    `${appName}%5f${body}`,
    `%${code}${rest.join('')}_${body}`,
    `${appName}_${body}`.toUpperCase(),
    `${appName}_${body.replaceAll('r5', '%72%35')}`,
    `${appName}%255F${body.replaceAll('x', '%2578')}`,
    `t5k3z1%252e${mac}`,
    `%745k3z1.${mac.replaceAll('a', '%61')}`,
    `T5K3Z1.${mac}`,
  ]
  for (const token of inPlaces) await app.browser().get(`/nowhere/${token}/x`)
  expect(paths(app)).toEqual(inPlaces.map(() => '/nowhere/[token]/x'))
})

test('a token in another place of a path than its route expects is redacted in the log', async () => {
  const app = await testApp()
  for (const token of [`${appName}_${'xr5a'.repeat(13)}`, `t5k3z1.${mac}`])
    await app.browser().get(`/verify-email/${token}/x`, { stay: true })
  expect(paths(app)).toEqual(['/verify-email/[token]/[token]', '/verify-email/[token]/[token]'])
})

test('query values are redacted in the log, except a page number', async () => {
  const app = await testApp()
  const browser = app.browser()
  await browser.get('/login?email=ann@x.test&name=Ann%20A&page=2&flag&page=ann@x.test')
  await browser.get('/login?ann@x.test')
  await browser.get('/login?ann@x.test=1')
  expect(paths(app)).toEqual([
    '/login?email=[redacted]&name=[redacted]&page=2&flag&page=[redacted]',
    '/login?[redacted]',
    '/login?[redacted]',
  ])
})

test('a failed login is one log line with address and reason, and no email', async () => {
  const app = await testApp()
  await app
    .browser()
    .post('/login', { email: 'ann@x.test', password: 'wrong horse' }, { stay: true })
  expect(app.logLines.filter(({ level }) => level === 'warn')).toEqual([
    {
      level: 'warn',
      message: 'login failed',
      facts: {
        reason: 'wrong email or password',
        address: '127.0.0.1',
        request: expect.stringMatching(id),
      },
    },
  ])
  expect(written(app, 'json')).not.toMatch(/ann@|horse/)
})

test('no request can forge a second line in the log', async () => {
  const app = await testApp({ config: { trustedProxies: ['loopback'] } })
  const browser = app.browser()
  await browser.get('/a%0Ab%0D%1B[31m?c%0A=d%0A', {
    headers: { 'X-Forwarded-For': '203.0.113.9 x=1' },
  })
  await browser.send('POST', '/csp-reports', {
    type: 'application/csp-report',
    body: JSON.stringify({ 'csp-report': { 'blocked-uri': 'a\r\nb\u2028c\u001b[31m' } }),
  })
  expect(written(app, 'text').match(control)).toEqual(['\n', '\n', '\n'])
  expect(written(app, 'json').match(control)).toEqual(['\n', '\n', '\n'])
})

test('no byte of a request gets into the log as a control character or line break', async () => {
  const app = await testApp()
  const bytes = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte))
  const rest = 'HTTP/1.1\r\nHost: app.test\r\nConnection: close\r\n'
  for (const byte of bytes) {
    const inPath = `GET /a${byte}b ${rest}\r\n`
    const inHeaders = `GET /up ${rest}User-Agent: a${byte}b\r\nX-Request-Id: ${byte}\r\n\r\n`
    await sendRaw(app.port, Buffer.from(inPath, 'latin1'))
    await sendRaw(app.port, Buffer.from(inHeaders, 'latin1'))
  }
  const ends = app.logLines.map(() => '\n')
  expect(app.logLines).toHaveLength(512)
  expect(written(app, 'text').match(control)).toEqual(ends)
  expect(written(app, 'json').match(control)).toEqual(ends)
})

test('a CSP report is logged without the token and the queries of its URLs', async () => {
  const app = await testApp()
  const documentURL = `http://app.test/reset-password/t5k3z1.${mac}?email=ann@x.test`
  const body = { documentURL, blockedURL: 'http://evil.test/a?ann@x.test', lineNumber: 1 }
  const visit = await app.browser().send('POST', '/csp-reports', {
    type: 'application/reports+json',
    body: JSON.stringify([{ type: 'csp-violation', body }]),
  })
  expect(visit.status).toBe(204)
  expect(app.logLines[0]).toMatchObject({
    level: 'warn',
    message: 'blocked by the Content-Security-Policy',
    facts: {
      page: 'http://app.test/reset-password/[token]?[redacted]',
      blocked: 'http://evil.test/a?[redacted]',
      line: 1,
      address: '127.0.0.1',
    },
  })
})

test('CSP reports are limited to 60 a minute per address', async () => {
  const app = await testApp()
  const browser = app.browser()
  const send = () =>
    browser.send('POST', '/csp-reports', { type: 'application/csp-report', body: '{}' })
  const statuses = await Promise.all(Array.from({ length: 61 }, async () => (await send()).status))
  await app.pass({ minutes: 1 })
  expect(statuses.toSorted((a, b) => a - b)).toEqual([
    ...Array.from({ length: 60 }, () => 204),
    429,
  ])
  expect((await send()).status).toBe(204)
})

test('a long path or CSP report of only letters does not slow the server down', async () => {
  const app = await testApp()
  const report = { 'csp-report': { 'document-uri': 'a'.repeat(60_000) } }
  const body = JSON.stringify(report)
  // Each once took three seconds: together longer than a test's timeout.
  for (let at = 0; at < 20; at++) {
    await app.browser().send('POST', '/csp-reports', { type: 'application/csp-report', body })
  }
  const visit = await app.browser().get(`/${'a'.repeat(8000)}`)
  expect(visit.status).toBe(404)
})
