import { buffer } from 'node:stream/consumers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { errorWords } from '#words/errors'
import { ann, registeredBrowser } from '../../testing/people.ts'
import { chosen, jpeg, png } from '../../testing/formats/photos.ts'
import { allJobs, allUsers, deleteJobs } from '../../testing/database/rows.ts'
import { amazonBucket, s3Server, type S3 } from '../../testing/network/s3.ts'
import { startSmtp, trustCertificate } from '../../testing/network/smtp.ts'
import { nameOfTwoAddresses } from '../../testing/network/two-addresses.ts'
import { testApp, type TestApp } from '../../testing/test-app.ts'
import { openApp } from '../../open-app.ts'
import { bucketFiles } from './bucket.ts'
import type { Browser, Visit } from '../../testing/browser.ts'
import type { Bucket } from './bucket-address.ts'

/** Makes an app that keeps its photos in a bucket, and registers Ann. */
async function withBucket(workers = false) {
  let app: TestApp | undefined
  const s3 = await s3Server(() => app?.now() ?? new Date(0))
  app = await testApp({ config: { files: s3.settings }, workers })
  return { app, s3, browser: await registeredBrowser(app, ann) }
}

function send(browser: Browser, content: Uint8Array): Promise<Visit> {
  return browser.upload('/settings/profile/photo', chosen(content), {}, { stay: true })
}

function keysOf({ files }: S3): string[] {
  return [...files.keys()]
}

async function photoOf(app: TestApp): Promise<string | null | undefined> {
  return (await allUsers(app.db))[0]?.photo
}

async function linkOf(browser: Browser): Promise<string> {
  return (await browser.get('/verify-email')).user?.photo ?? ''
}

/** Returns a link with one parameter of its query replaced. */
function changed(link: string, name: string, value: string): string {
  const url = new URL(link)
  url.searchParams.set(name, value)
  return url.href
}

test('requests to a bucket are signed by the clock of this machine, whatever that of the database says', async () => {
  const s3 = await s3Server(() => new Date())
  const { config, mailer, log, assets } = await testApp({ config: { files: s3.settings } })
  const app = await openApp(config, { mailer, log, assets })
  onTestFinished(() => app.close())
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  vi.setSystemTime(Date.now() + 180 * 60_000)
  await expect(app.files.check()).resolves.toBeUndefined()
})

test('a photo is stored in the bucket with its type and fetched by a signed link', async () => {
  const { app, s3, browser } = await withBucket()
  const answer = await send(browser, png())
  const link = await linkOf(browser)
  const fetched = await fetch(link)
  expect(answer.location).toBe('/settings/profile')
  expect(s3.files.get((await photoOf(app)) ?? '')).toEqual({
    content: png(),
    type: 'image/png',
    disposition: 'inline; filename="photo.png"',
  })
  expect(link.startsWith(`${s3.settings.endpoint}/photos/photos/`)).toBe(true)
  expect([fetched.status, Buffer.from(await fetched.arrayBuffer())]).toEqual([200, png()])
  expect(fetched.headers.get('content-disposition')).toBe('inline; filename="photo.png"')
})

test('the bucket refuses an altered link and a link without a signature', async () => {
  const { browser } = await withBucket()
  await send(browser, png())
  const link = await linkOf(browser)
  const links = [
    link.split('?')[0] ?? '',
    link.replace('.png', '.jpg'),
    changed(link, 'X-Amz-Expires', '604800'),
    changed(link, 'X-Amz-Date', '20260106T000000Z'),
    changed(link, 'X-Amz-Signature', '0'.repeat(64)),
  ]
  const statuses = await Promise.all(links.map(async (link) => (await fetch(link)).status))
  expect(statuses).toEqual(links.map(() => 403))
})

test('a link to the bucket is the same an hour later and is valid until the end of the next day', async () => {
  const { app, browser } = await withBucket()
  await send(browser, png())
  const link = await linkOf(browser)
  await app.pass({ hours: 1 })
  expect(await linkOf(browser)).toBe(link)
  await app.pass({ days: 1, hours: 12, minutes: 59, seconds: 59 })
  expect((await fetch(link)).status).toBe(200)
  await app.pass({ seconds: 2 })
  expect((await fetch(link)).status).toBe(403)
})

test('a link to the bucket changes each day at midnight UTC', async () => {
  const { app } = await withBucket()
  const day = (time: string) => app.files.link('photos/a.png', new Date(time))
  const [first, same, next] = [
    await day('2026-01-05T00:00:00Z'),
    await day('2026-01-05T23:59:59.999Z'),
    await day('2026-01-06T00:00:00Z'),
  ]
  expect(first).toBe(same)
  expect(first).not.toBe(next)
  expect(first).toContain('X-Amz-Date=20260105T000000Z')
})

test('the Content-Security-Policy allows images from the bucket and from no other host', async () => {
  const { s3, browser } = await withBucket()
  const policy = (await browser.get('/verify-email')).headers['content-security-policy']
  expect(policy).toContain(`img-src 'self' ${s3.settings.endpoint};`)
})

test('the Content-Security-Policy allows images from the host name of a bucket at Amazon', async () => {
  const app = await testApp({ config: { files: amazonBucket } })
  const policy = (await app.browser().get('/login')).headers['content-security-policy']
  expect(policy).toContain("img-src 'self' https://photos.s3.eu-central-1.amazonaws.com;")
})

test('a job deletes a replaced or removed photo from the bucket', async () => {
  const { app, s3, browser } = await withBucket(true)
  await send(browser, png())
  await send(browser, jpeg())
  await expect.poll(() => keysOf(s3)).toEqual([await photoOf(app)])
  await browser.send('DELETE', '/settings/profile/photo')
  await expect.poll(() => keysOf(s3)).toEqual([])
})

test('a file in the bucket is read in full or in part, and a missing file opens as undefined', async () => {
  const { app, s3 } = await withBucket()
  await app.files.put('photos/a.png', { content: png(), type: 'image/png' })
  const file = await app.files.open('photos/a.png')
  expect([file?.size, file?.modified]).toEqual([67, new Date('2026-01-05T10:00:00Z')])
  expect(file && (await buffer(file.read()))).toEqual(png())
  expect(file && (await buffer(file.read({ from: 1, to: 3 })))).toEqual(Buffer.from('PNG'))
  expect(await app.files.open('photos/b.png')).toBeUndefined()
  await app.files.delete('photos/b.png')
  expect(keysOf(s3)).toEqual(['photos/a.png'])
})

test('deleting a missing file succeeds, while a missing bucket or another 404 is an error', async () => {
  const { app, s3 } = await withBucket()
  const answering = (body: string) => {
    s3.answers.set('DELETE', (response) => void response.writeHead(404).end(body))
    return app.files.delete('photos/a.png')
  }
  await answering('<Error><Code>NoSuchKey</Code></Error>')
  await expect(answering('<Error><Code>NoSuchBucket</Code></Error>')).rejects.toThrow(
    'The bucket photos answered a DELETE with 404 (NoSuchBucket).',
  )
  await expect(answering('<h1>Not Found</h1>')).rejects.toThrow('a DELETE with 404')
})

test('a refusal by the bucket is logged with only its status and code, and the photo is not saved', async () => {
  const { app, s3, browser } = await withBucket()
  Object.assign(app.config.files, { secretAccessKey: 'another' })
  const answer = await send(browser, png())
  const logged = app.logLines.find(({ level }) => level === 'error')
  expect(answer.status).toBe(500)
  expect(String(logged?.facts['error'])).toBe(
    'Error: The bucket photos answered a PUT with 403 (SignatureDoesNotMatch).',
  )
  expect([await photoOf(app), keysOf(s3)]).toEqual([null, []])
})

test('a busy bucket is retried, and after three refused tries the error is logged', async () => {
  const { app, s3, browser } = await withBucket()
  const slowDown = '<Error><Code>SlowDown</Code></Error>'
  let left = 2
  s3.answers.set('PUT', (response) => {
    if (--left === 0) s3.answers.delete('PUT')
    response.writeHead(503).end(slowDown)
  })
  expect((await send(browser, png())).location).toBe('/settings/profile')
  expect(keysOf(s3)).toEqual([await photoOf(app)])
  s3.requests.splice(0)
  s3.answers.set('PUT', (response) => void response.writeHead(503).end(slowDown))
  expect((await send(browser, png())).status).toBe(500)
  expect(s3.requests.map((request) => request.split(' ')[0])).toEqual(['PUT', 'PUT', 'PUT'])
  expect(app.logLines.map(({ facts }) => String(facts['error']))).toContain(
    'Error: The bucket photos answered a PUT with 503 (SlowDown).',
  )
})

test('a connection that the bucket drops leaves the photo of the account unchanged', async () => {
  const { app, s3, browser } = await withBucket()
  await send(browser, png())
  const old = await photoOf(app)
  s3.answers.set('PUT', (response) => response.destroy())
  const answer = await send(browser, jpeg())
  const logged = app.logLines.find(({ level }) => level === 'error')
  expect([answer.status, await photoOf(app)]).toEqual([500, old])
  expect(String(logged?.facts['error'])).toBe('Error: The bucket photos did not answer a PUT.')
})

test('an aborted request to the bucket is rejected with the reason of the abort', async () => {
  const { app, s3 } = await withBucket()
  const key = 'photos/a.png'
  const over = new Error('The job is over.')
  const until = (method: string) => {
    const run = new AbortController()
    s3.answers.set(method, () => run.abort(over))
    return run.signal
  }
  await app.files.put(key, { content: png(), type: 'image/png' })
  const file = await app.files.open(key)
  await expect(app.files.delete(key, until('DELETE'))).rejects.toBe(over)
  await expect(app.files.open(key, until('HEAD'))).rejects.toBe(over)
  await expect(file && buffer(file.read(undefined, until('GET')))).rejects.toBe(over)
  const put = app.files.put(key, { content: png(), type: 'image/png' }, until('PUT'))
  await expect(put).rejects.toBe(over)
  await expect(app.files.delete(key, AbortSignal.abort(over))).rejects.toBe(over)
})

test('a bucket that does not answer in time is reported with its address', async () => {
  const { s3 } = await withBucket()
  s3.answers.set('PUT', () => {})
  await expect(bucketFiles(s3.settings, () => new Date()).check()).rejects.toThrow(
    /^The bucket photos did not answer a PUT\. Nothing answers at http:\S+ in time\. /,
  )
})

test('a bucket none of whose addresses can be reached is reported with what happened at each', async () => {
  const { s3 } = await withBucket()
  const unreachable = { ...s3.settings, endpoint: `http://${nameOfTwoAddresses()}:1` }
  await expect(bucketFiles(unreachable, () => new Date()).check()).rejects.toThrow(
    'Nothing answers at http://two.invalid:1 (connect ECONNREFUSED 127.0.0.1:1, connect ECONNREFUSED 127.0.0.2:1). ',
  )
})

test('the advice about the certificate of a bucket is for what is wrong with it', async () => {
  const { s3 } = await withBucket()
  const strange = await startSmtp({ tls: 'from the start' })
  const expired = await startSmtp({ tls: 'from the start', isExpired: true })
  const other = await startSmtp({ tls: 'from the start', host: '127.0.0.2' })
  const check = (endpoint: string) =>
    bucketFiles({ ...s3.settings, endpoint }, () => new Date()).check()
  await expect(check(`https://localhost:${strange.port}`)).rejects.toThrow(/NODE_EXTRA_CA_CERTS/)
  trustCertificate()
  await expect(check(`https://localhost:${expired.port}`)).rejects.toThrow(
    /\(certificate has expired\)\. Renew it there, /,
  )
  await expect(check(`https://127.0.0.2:${other.port}`)).rejects.toThrow(
    /altnames: .*\)\. Set AWS_ENDPOINT to a name that it is for; /,
  )
})

test('a photo whose upload outlasts its delete job is deleted, and the user is asked to send it again', async () => {
  const { app, s3, browser } = await withBucket(true)
  s3.answers.set('PUT', async (response) => {
    await app.pass({ minutes: 15 })
    await expect.poll(async () => (await allJobs(app.db)).map(({ name }) => name)).toEqual([])
    s3.files.set('late', { content: png(), type: 'image/png', disposition: '' })
    response.end()
  })
  await send(browser, png())
  expect((await browser.get('/verify-email')).errors).toEqual({ photo: errorWords.photoAgain })
  expect(await photoOf(app)).toBeNull()
  await expect.poll(() => s3.requests.filter((line) => line.startsWith('DELETE'))).toHaveLength(2)
})

test('a photo whose delete job is lost during the upload has to be sent again', async () => {
  const { app, s3, browser } = await withBucket()
  s3.answers.set('PUT', async (response) => {
    await deleteJobs(app.db)
    response.end()
  })
  await send(browser, png())
  expect((await browser.get('/verify-email')).errors).toEqual({ photo: errorWords.photoAgain })
  expect((await allJobs(app.db)).map(({ name }) => name)).toEqual(['delete-file'])
})

test('the check of a bucket fails when it refuses files, and otherwise leaves no file behind', async () => {
  const { app, s3 } = await withBucket()
  await app.files.check()
  expect(keysOf(s3)).toEqual([])
  const other = await testApp({ config: { files: { ...s3.settings, secretAccessKey: 'wrong' } } })
  await expect(other.files.check()).rejects.toThrow(/bucket photos answered a PUT with 403/)
})

test('a bucket that hides which files it lacks fails the check, since its user may not list it', async () => {
  const s3 = await s3Server(() => new Date(), { mayList: false })
  const files = bucketFiles(s3.settings, () => new Date())
  const advice = expect.stringMatching(/^Let the user of AWS_ACCESS_KEY_ID .* s3:ListBucket on /)
  await expect(files.check()).rejects.toMatchObject({ cause: { code: 'AccessDenied', advice } })
  await expect(files.open('photos/a.png')).rejects.toMatchObject({ code: 'AccessDenied', advice })
  expect(keysOf(s3)).toEqual([])
})

test('a photo that cannot be looked up is reported with the cause, as if it were read', async () => {
  const { app, s3 } = await withBucket()
  const later = () => new Date(app.now().getTime() + 60 * 60_000)
  await expect(bucketFiles(s3.settings, later).open('photos/a.png')).rejects.toMatchObject({
    advice: expect.stringMatching(/^Set the clock/),
  })
})

test('the error of a failed bucket check says what to do about its cause', async () => {
  const { app, s3 } = await withBucket()
  const checkFault = (changes: Partial<Bucket> = {}) =>
    bucketFiles({ ...s3.settings, ...changes }, () => app.now())
      .check()
      .then(
        () => '',
        ({ message }: Error) => message,
      )
  const answering = (status: number, code: string) => {
    s3.answers.set('PUT', (response) => {
      response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`)
    })
    return checkFault()
  }
  expect(await checkFault({ secretAccessKey: 'wrong' })).toBe(
    'The bucket photos answered a PUT with 403 (SignatureDoesNotMatch). Set AWS_SECRET_ACCESS_KEY to the secret of AWS_ACCESS_KEY_ID.',
  )
  expect(await answering(404, 'NoSuchBucket')).toMatch(/Make it, or set AWS_BUCKET/)
  expect(await answering(403, 'InvalidAccessKeyId')).toMatch(/Set AWS_ACCESS_KEY_ID to/)
  expect(await answering(301, 'PermanentRedirect')).toMatch(/Set AWS_DEFAULT_REGION/)
  expect(await answering(403, 'AccessDenied')).toMatch(/Let the user of AWS_ACCESS_KEY_ID/)
  expect(await answering(403, 'RequestTimeTooSkewed')).toMatch(/Set the clock/)
  expect(await answering(503, 'SlowDown')).toMatch(/look at what that one logged/)
  expect(await answering(405, 'x')).toContain(
    `${s3.settings.endpoint}/photos may be no object storage`,
  )
  expect(await checkFault({ endpoint: 'http://127.0.0.1:1' })).toBe(
    'The bucket photos did not answer a PUT. Nothing answers at http://127.0.0.1:1 (connect ECONNREFUSED 127.0.0.1:1). Check AWS_ENDPOINT, and whether a firewall blocks the connection.',
  )
  const encrypted = s3.settings.endpoint?.replace('http:', 'https:')
  expect(await checkFault({ endpoint: encrypted })).toMatch(
    / does not speak TLS\. Check AWS_ENDPOINT/,
  )
  expect(await checkFault({ endpoint: 'http://x.invalid', pathStyle: false })).toMatch(
    /No server has the name in http:\/\/photos\.x\.invalid\. .* AWS_USE_PATH_STYLE_ENDPOINT=true/,
  )
})
