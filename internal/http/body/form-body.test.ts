import { gzipSync } from 'node:zlib'
import { Busboy } from '@fastify/busboy'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ann, registeredBrowser } from '../../testing/people.ts'
import { chosen, png } from '../../testing/formats/photos.ts'
import { sendRaw } from '../../testing/network/raw-request.ts'
import { testApp } from '../../testing/test-app.ts'

const mostBytes = 64 * 1024
const toLogin = 'POST /login HTTP/1.1\r\nHost: app.test\r\n'
const head = `${toLogin}Content-Type: application/x-www-form-urlencoded\r\n`

function pairs(count: number): [string, string][] {
  return Array.from({ length: count }, (_, at) => [`f${at}`, 'x'])
}

function multipart(fields: readonly [string, string][]): { type: string; body: string } {
  const parts = fields.map(
    ([name, value]) =>
      `--edge\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  return { type: 'multipart/form-data; boundary=edge', body: `${parts.join('')}--edge--\r\n` }
}

/** Builds an unfinished form in chunks of one byte. */
function inChunks(count: number): string {
  const chunks = '1\r\nx\r\n'.repeat(count)
  return `${head}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n${chunks}`
}

/** Builds JSON with so many values, and after them half a surrogate pair, which is refused where it is read. */
function ofValues(count: number): object {
  return { a: [...Array.from({ length: count }, () => 1), '\ud800'] }
}

test('a body of 64 KiB is read', async () => {
  const app = await testApp()
  const visit = await app
    .browser()
    .send('POST', '/login', { body: `a=${'x'.repeat(mostBytes - 2)}` })
  expect(visit.status).toBe(303)
})

test('a body with a Content-Length over 64 KiB is refused before it is sent, and the connection closed', async () => {
  const app = await testApp()
  const answer = await sendRaw(app.port, `${head}Content-Length: ${mostBytes + 1}\r\n\r\n`)
  expect(answer).toMatchObject({
    status: 413,
    headers: { connection: 'close', 'x-content-type-options': 'nosniff' },
  })
})

test('a chunked body is refused as soon as it exceeds 64 KiB, and the connection closed', async () => {
  const app = await testApp()
  const size = (mostBytes + 1).toString(16)
  const chunk = `${size}\r\n${'x'.repeat(mostBytes + 1)}\r\n`
  const answer = await sendRaw(app.port, `${head}Transfer-Encoding: chunked\r\n\r\n${chunk}`)
  expect(answer).toMatchObject({
    status: 413,
    headers: { connection: 'close', 'x-content-type-options': 'nosniff' },
  })
})

test('a body in too many tiny chunks is refused before it ends, and the connection closed', async () => {
  const app = await testApp()
  const few = await sendRaw(app.port, `${inChunks(1000)}0\r\n\r\n`)
  const many = await sendRaw(app.port, inChunks(2000))
  expect([few.status, many.status, many.headers['connection']]).toEqual([303, 413, 'close'])
})

test('JSON with over 2000 values is refused with the limit before all of them are read', async () => {
  const app = await testApp()
  const few = await app.browser().postJson('/login', ofValues(1000))
  const many = await app.browser().postJson('/login', ofValues(5000))
  expect([few.status, many.status]).toEqual([400, 400])
  expect(few.json).toEqual({ message: 'The JSON cannot be read.' })
  expect(many.json).toEqual({ message: 'Send at most 2000 values in the JSON.' })
})

test('a body over 64 KiB is refused also where no route reads it', async () => {
  const app = await testApp()
  const requestLines = [
    'GET /login',
    'HEAD /login',
    'GET /up',
    'POST /nowhere',
    'PUT /login',
    'OPTIONS /login',
  ]
  for (const line of requestLines) {
    const sent = `${line} HTTP/1.1\r\nHost: app.test\r\nContent-Length: ${mostBytes + 1}\r\n\r\n`
    const answer = await sendRaw(app.port, sent)
    expect([line, answer]).toMatchObject([line, { status: 413, headers: { connection: 'close' } }])
  }
})

test('the connection is closed with the response to a chunked body that no route reads', async () => {
  const app = await testApp()
  const nowhere = `POST /nowhere HTTP/1.1\r\nHost: app.test\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n`
  const answer = await sendRaw(app.port, nowhere)
  expect(answer).toMatchObject({ status: 404, headers: { connection: 'close' } })
})

test('a CSP report over 64 KiB is refused', async () => {
  const app = await testApp()
  const body = JSON.stringify('x'.repeat(mostBytes))
  const visit = await app
    .browser()
    .send('POST', '/csp-reports', { type: 'application/csp-report', body })
  expect(visit.status).toBe(413)
})

test('a form with a hundred fields is read, whether URL-encoded, multipart or JSON', async () => {
  const app = await testApp()
  const fields = pairs(100)
  const browser = app.browser()
  const urlencoded = await browser.send('POST', '/login', {
    body: new URLSearchParams(fields).toString(),
  })
  const inParts = await browser.send('POST', '/login', multipart(fields))
  const json = await browser.postJson('/login', Object.fromEntries(fields))
  expect([urlencoded.status, inParts.status, json.status]).toEqual([303, 303, 422])
})

test('a form with more than a hundred fields is refused, whether URL-encoded, multipart or JSON', async () => {
  const app = await testApp()
  const fields = pairs(101)
  const browser = app.browser()
  const urlencoded = await browser.send('POST', '/login', {
    body: new URLSearchParams(fields).toString(),
  })
  const inParts = await browser.send('POST', '/login', multipart(fields))
  const json = await browser.postJson('/login', Object.fromEntries(fields))
  expect([urlencoded.status, inParts.status, json.status]).toEqual([400, 400, 400])
})

test('a form with more than a hundred values of one field is refused', async () => {
  const app = await testApp()
  const body = 'a=x&'.repeat(100) + 'a=x'
  expect((await app.browser().send('POST', '/login', { body })).status).toBe(400)
})

test('a multipart form with more than a hundred parts is refused, files included', async () => {
  const app = await testApp()
  const part = '--edge\r\nContent-Disposition: form-data; name="a"; filename="a"\r\n\r\nx\r\n'
  const visit = await app.browser().send('POST', '/login', {
    type: 'multipart/form-data; boundary=edge',
    body: `${part.repeat(102)}--edge--\r\n`,
  })
  expect(visit.status).toBe(400)
})

test('a multipart form with far too many parts is refused before a quarter of it is parsed', async () => {
  const app = await testApp()
  const written = vi.spyOn(Busboy.prototype, 'write')
  onTestFinished(() => written.mockRestore())
  const part = '--x\r\nContent-Disposition:form-data\r\n\r\n\r\n'
  const body = `${part.repeat(mostBytes / part.length - 1)}--x--`
  const type = 'multipart/form-data; boundary=x'
  const { status } = await app.browser().send('POST', '/login', { type, body })
  const parsed = written.mock.calls.reduce((sum, [chunk]) => sum + (chunk as Buffer).length, 0)
  expect(status).toBe(400)
  expect(parsed).toBeGreaterThan(0)
  expect(parsed).toBeLessThan(body.length / 4)
})

test('a malformed body is refused with 400', async () => {
  const app = await testApp()
  const browser = app.browser()
  const answers = [
    await browser.send('POST', '/login', { type: 'application/json', body: '{"email":' }),
    await browser.send('POST', '/login', { type: 'application/json', body: '[]' }),
    await browser.send('POST', '/login', { type: 'application/json', body: 'null' }),
    await browser.send('POST', '/login', { type: 'multipart/form-data', body: 'x' }),
    await browser.send('POST', '/login', { type: 'multipart/form-data; boundary=edge', body: 'x' }),
    await browser.send('POST', '/login', {
      type: 'multipart/form-data; boundary=edge',
      body: '--edge\r\nContent-Disposition: form-data; name="a"; filename="a"\r\n\r\ncut off',
    }),
    await browser.send('POST', '/csp-reports', { type: 'application/csp-report', body: '{' }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 400, 400])
})

test('a multipart form with two closing boundaries gets a 400, and one without parts is an empty form', async () => {
  const app = await testApp()
  const type = 'multipart/form-data; boundary=x'
  const bodies = [
    '--x--\r\n--x--\r\n',
    '--x--\r\n\r\n--x--',
    '--x--\r\n',
    '--x--',
    '--x\r\n--x--\r\n',
  ]
  const visits = await Promise.all(
    bodies.map((body) => app.browser().send('POST', '/login', { type, body })),
  )
  expect(visits.map(({ status }) => status)).toEqual([400, 400, 303, 303, 303])
})

test('a body that is not UTF-8 is refused with 400', async () => {
  const app = await testApp()
  const bytes = Buffer.concat([
    Buffer.from(`${head}Content-Length: 3\r\nConnection: close\r\n\r\na=`),
    Buffer.from([0xff]),
  ])
  expect((await sendRaw(app.port, bytes)).status).toBe(400)
})

test('fields that are not UTF-8 are refused with 400, whether URL-encoded or multipart', async () => {
  const app = await testApp()
  const browser = app.browser()
  const part = (value: string, type = '') => {
    const body = `--edge\r\nContent-Disposition: form-data; name="a"${type}\r\n\r\n${value}\r\n--edge--`
    const lines = `${toLogin}Content-Type: multipart/form-data; boundary=edge\r\nConnection: close\r\n`
    const bytes = `${lines}Content-Length: ${body.length}\r\n\r\n${body}`
    return sendRaw(app.port, Buffer.from(bytes, 'latin1'))
  }
  const answers = [
    await browser.send('POST', '/login', { body: 'a=%ff' }),
    await browser.send('POST', '/login', { body: 'a=%ed%a0%80' }),
    await part('\xff'),
    await part('\x00\xd8', '\r\nContent-Type: text/plain; charset=utf-16le'),
  ]
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400])
})

test('percent-encoded bytes on both sides of a stray percent sign are not joined into one letter', async () => {
  const app = await testApp()
  const visit = await app.browser().send('POST', '/login', { body: 'a=%E2%%82%AC' })
  expect(visit.status).toBe(400)
})

test('a literal percent sign and the replacement character U+FFFD are accepted in a field', async () => {
  const app = await testApp()
  const browser = app.browser()
  const { type, body } = multipart([['a', '\uFFFD']])
  const answers = [
    await browser.send('POST', '/login', { body: 'a=100%&b=%zz&c=%ef%bf%bd' }),
    await browser.send('POST', '/login', { type, body }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([303, 303])
})

test('a multipart part without a name is ignored', async () => {
  const app = await testApp()
  const visit = await app.browser().send('POST', '/login', {
    type: 'multipart/form-data; boundary=edge',
    body: '--edge\r\nContent-Disposition: form-data\r\n\r\nx\r\n--edge--\r\n',
  })
  expect(visit.status).toBe(303)
})

test('a number in JSON is read as the text that was sent', async () => {
  const app = await testApp()
  const browser = app.browser()
  // JavaScript has no such number: its nearest would be another password.
  const password = '12345678901234567891'
  const { name, email } = ann
  const body = `{"name":"${name}","email":"${email}","password":${password},"password_confirmation":"${password}"}`
  const made = await browser.send('POST', '/register', { type: 'application/json', body })
  const visit = await app.browser().post('/login', { email, password })
  expect([made.status, visit.user?.email]).toEqual([200, email])
  const named = async (number: string) => {
    const body = `{"name":${number},"email":"${email}"}`
    await browser.send('PATCH', '/settings/profile', { type: 'application/json', body })
    return (await browser.get('/')).user?.name
  }
  expect([await named('1e999'), await named('1.0'), await named('7')]).toEqual([
    '1e999',
    '1.0',
    '7',
  ])
})

test('JSON nested however deep gets a 422 or a 400, never a server error', async () => {
  const app = await testApp()
  const depths = [1, 100, 1000, 2000, 3000, 4000, 5000, 7000, 10_000, 32_000]
  const statuses = new Set<number>()
  for (const depth of depths) {
    const body = `{"email":${'['.repeat(depth)}${']'.repeat(depth)}}`
    const visit = await app.browser().send('POST', '/login', { type: 'application/json', body })
    statuses.add(visit.status)
  }
  expect([...statuses]).toEqual([422, 400])
})

test('a body of another type gets a 415 whose Accept header lists the accepted types', async () => {
  const app = await testApp()
  const form = await app.browser().send('POST', '/login', { type: 'text/plain', body: 'a=b' })
  const report = await app
    .browser()
    .send('POST', '/csp-reports', { type: 'application/json', body: '{}' })
  expect(form.status).toBe(415)
  expect(form.headers.accept).toBe(
    'application/x-www-form-urlencoded, multipart/form-data, application/json',
  )
  expect(report.status).toBe(415)
  expect(report.headers.accept).toBe('application/csp-report, application/reports+json')
})

test('a compressed body gets a 415 whose Accept-Encoding header is identity', async () => {
  const { email, password } = ann
  const body = gzipSync(new URLSearchParams({ email, password }).toString()).toString('latin1')
  const type = 'application/x-www-form-urlencoded'
  const app = await testApp()
  const coded = (coding: string) =>
    app.browser().send('POST', '/login', { body, type, headers: { 'Content-Encoding': coding } })
  const refused = await coded('GZip')
  expect([refused.status, refused.headers['accept-encoding']]).toEqual([415, 'identity'])
  expect((await coded('identity')).status).not.toBe(415)
  const browser = await registeredBrowser(app, ann)
  const headers = { 'Content-Encoding': 'br' }
  const photo = await browser.upload('/settings/profile/photo', chosen(png()), {}, { headers })
  expect([photo.status, (await browser.get('/')).user?.photo]).toEqual([415, null])
  const report = { type: 'application/csp-report', body: '{}', headers }
  expect((await browser.send('POST', '/csp-reports', report)).status).toBe(415)
})

test('a request without a body is a form without fields', async () => {
  const app = await testApp()
  expect((await app.browser().send('POST', '/login')).status).toBe(303)
})

test('a wrong method on a known path gets a 405 that lists the allowed methods', async () => {
  const app = await testApp()
  const browser = app.browser()
  const answers = [
    await browser.send('POST', '/up'),
    await browser.send('GET', '/logout'),
    await browser.send('PUT', '/register'),
    await browser.send('OPTIONS', '/register'),
    await browser.send('POST', '/assets/style-test.css'),
  ]
  expect(answers.map(({ status, headers }) => [status, headers.allow])).toEqual([
    [405, 'GET, HEAD'],
    [405, 'POST'],
    [405, 'GET, HEAD, POST'],
    [405, 'GET, HEAD, POST'],
    [405, 'GET, HEAD'],
  ])
})

test('a field named __proto__ fills in no other field, whether URL-encoded, multipart or JSON', async () => {
  const app = await testApp()
  const browser = app.browser()
  const names = ['__proto__', '__proto__[email]', '__proto__.email', 'constructor']
  const fields = names.map((name): [string, string] => [name, 'a'])
  const body = new URLSearchParams(fields).toString()
  await browser.send('POST', '/login', { body })
  const urlencoded = await browser.document('/login')
  await browser.send('POST', '/login', multipart(fields))
  const inParts = await browser.document('/login')
  const json = await browser.send('POST', '/login', {
    type: 'application/json',
    body: '{"__proto__":{"email":"a","password":"a"}}',
  })
  const missing = 'Fill in this field.'
  const errors = { email: missing, password: missing }
  expect([urlencoded.errors, inParts.errors]).toEqual([errors, errors])
  expect([json.status, json.json]).toMatchObject([422, { errors }])
})
