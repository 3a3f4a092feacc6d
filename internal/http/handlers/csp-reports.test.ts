import { expect, test } from 'vitest'
import { ann, behindProxy, registeredBrowser } from '../../testing/people.ts'
import { allLogins } from '../../testing/database/rows.ts'
import { testApp, type TestApp } from '../../testing/test-app.ts'

const old = {
  'csp-report': {
    'document-uri': 'http://app.test/dashboard',
    'effective-directive': 'script-src-elem',
    'blocked-uri': 'https://evil.test/x.js',
    'source-file': 'http://app.test/dashboard.js',
    'line-number': 3,
  },
}

const single = {
  type: 'csp-violation',
  url: 'http://app.test/login',
  body: {
    documentURL: 'http://app.test/login',
    effectiveDirective: 'img-src',
    blockedURL: 'inline',
    sourceFile: 'http://app.test/login.js',
    lineNumber: 7,
  },
}

const reports = (directives: readonly string[]) =>
  directives.map((effectiveDirective) => ({
    ...single,
    body: { ...single.body, effectiveDirective },
  }))

function report(app: TestApp, body: string, type: string, headers: Record<string, string> = {}) {
  return app.browser().send('POST', '/csp-reports', { body, type, headers })
}

const legacy = 'application/csp-report'
const modern = 'application/reports+json'

const blocked = (app: TestApp) =>
  app.logLines.filter(({ message }) => message.startsWith('blocked by'))

test('a report of type application/csp-report is answered with a 204 and logged', async () => {
  const app = await testApp()
  const visit = await report(app, JSON.stringify(old), legacy)
  const [line, ...more] = blocked(app)
  expect([visit.status, visit.body]).toEqual([204, ''])
  expect(line).toMatchObject({ level: 'warn', facts: { address: '127.0.0.1' } })
  expect(JSON.stringify(line)).toContain('script-src-elem')
  expect(JSON.stringify(line)).toContain('https://evil.test/x.js')
  expect(line?.facts).toMatchObject({ source: 'http://app.test/dashboard.js', line: 3 })
  expect(more).toEqual([])
})

test('each report in an array of type application/reports+json is logged', async () => {
  const app = await testApp()
  const visit = await report(
    app,
    JSON.stringify(reports(['img-src', 'style-src'])),
    `${modern}; charset=utf-8`,
  )
  const logged = JSON.stringify(blocked(app))
  expect(visit.status).toBe(204)
  expect(logged).toContain('img-src')
  expect(logged).toContain('style-src')
  expect(logged).toContain('"source":"http://app.test/login.js","line":7')
})

test('a WebKit report, which has the Origin null and mixes the two types, is logged', async () => {
  const app = await testApp()
  const sent = { Origin: 'null', 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'no-cors' }
  const visit = await report(app, JSON.stringify(single), legacy, sent)
  expect(visit.status).toBe(204)
  expect(blocked(app)).toMatchObject([
    { facts: { directive: 'img-src', blocked: 'inline', page: 'http://app.test/login' } },
  ])
})

test('a report does not extend the login of the browser that sends it', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  const before = await allLogins(app.db)
  await app.pass({ hours: 1 })
  const body = JSON.stringify(old)
  const visit = await browser.send('POST', '/csp-reports', { body, type: legacy })
  await app.awaitWrites()
  expect(visit.status).toBe(204)
  expect(visit.headers).not.toHaveProperty('set-cookie')
  expect(await allLogins(app.db)).toEqual(before)
})

test('the content type of a report is accepted in any letter case', async () => {
  const app = await testApp()
  const visit = await report(app, JSON.stringify(old), 'Application/CSP-Report')
  expect(visit.status).toBe(204)
})

test('a report over 64 KiB gets a 413', async () => {
  const app = await testApp()
  const body = JSON.stringify(old)
  const fitting = await report(app, body.padEnd(64 * 1024), legacy)
  const over = await report(app, body.padEnd(64 * 1024 + 1), legacy)
  expect([fitting.status, over.status, blocked(app).length]).toEqual([204, 413, 1])
})

test('a body that is not a JSON report gets a 400 and is not logged', async () => {
  const app = await testApp()
  const bodies = ['', '{', '"text"', '7', 'null', '[1]']
  const visits = await Promise.all(bodies.map((body) => report(app, body, legacy)))
  expect(visits.map((visit) => visit.status)).toEqual([400, 400, 400, 400, 400, 400])
  expect(blocked(app)).toEqual([])
})

test('a report of another content type gets a 415', async () => {
  const app = await testApp()
  const types = ['application/json', 'text/plain', '', `${legacy}x`]
  const visits = await Promise.all(types.map((type) => report(app, JSON.stringify(old), type)))
  expect(visits.map((visit) => visit.status)).toEqual([415, 415, 415, 415])
})

test('an address, or the whole /64 of an IPv6 address, may send 60 reports a minute', async () => {
  const app = await testApp(behindProxy)
  const send = (address: string) =>
    report(app, JSON.stringify(old), legacy, { 'X-Forwarded-For': address })
  const visits = await Promise.all(
    Array.from({ length: 60 }, (_, at) => send(`2001:db8:0:1::${at}`)),
  )
  const over = await send('2001:db8:0:1:ffff::')
  const other = await send('2001:db8:0:2::')
  await app.pass({ minutes: 1 })
  const later = await send('2001:db8:0:1::1')
  expect(new Set(visits.map((visit) => visit.status))).toEqual(new Set([204]))
  expect([over.status, over.headers['retry-after']]).toEqual([429, '60'])
  expect([other.status, later.status]).toEqual([204, 204])
})

test('tokens and emails in the URLs of a report are not logged', async () => {
  const app = await testApp()
  const page = 'http://app.test/reset-password/t3x2a1.AbCdEfGhIjKlMnOpQrStUv?email=ann%40x.test'
  const modernReport = {
    ...single,
    url: page,
    body: { ...single.body, documentURL: page, referrer: page },
  }
  const sent = { 'csp-report': { ...old['csp-report'], 'document-uri': page, 'blocked-uri': page } }
  await report(app, JSON.stringify(sent), legacy)
  await report(app, JSON.stringify([modernReport]), modern)
  const logged = JSON.stringify(blocked(app))
  expect(blocked(app)).toHaveLength(2)
  expect(logged).toContain('/reset-password/[token]?[redacted]')
  expect(logged).not.toContain('AbCdEfGhIjKlMnOpQrStUv')
  expect(logged).not.toMatch(/ann(%40|@)/)
})

test('long values, unknown fields and large numbers of reports are cut short in the log', async () => {
  const app = await testApp()
  const long = {
    'csp-report': {
      ...old['csp-report'],
      'blocked-uri': 'x'.repeat(60_000),
      more: 'y'.repeat(1000),
    },
  }
  await report(app, JSON.stringify(long), legacy)
  await report(app, JSON.stringify(reports(Array.from({ length: 200 }, () => 'img-src'))), modern)
  expect(JSON.stringify(blocked(app)).length).toBeLessThan(20_000)
  expect(JSON.stringify(blocked(app))).not.toContain('y'.repeat(20))
})
