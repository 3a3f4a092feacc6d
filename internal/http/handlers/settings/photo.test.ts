import { errorPages } from '#words/error'
import { errorWords, tryAgainIn } from '#words/errors'
import { flashWords } from '#words/flash'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { heldUpload, uploadHeaders } from '../../../testing/network/held-upload.ts'
import { ann, bob, registeredBrowser } from '../../../testing/people.ts'
import {
  chosen,
  commented,
  jpeg,
  png,
  pngHeader,
  pngOfBytes,
  pngOfChunks,
  webp,
} from '../../../testing/formats/photos.ts'
import { sendRaw } from '../../../testing/network/raw-request.ts'
import { allJobs, allThrottles, allUsers, deleteUsers } from '../../../testing/database/rows.ts'
import { allowPhotos, refusePhotos } from '#testing/rows'
import { testApp, type TestApp } from '../../../testing/test-app.ts'
import type { Browser, Visit } from '../../../testing/browser.ts'

const to = '/settings/profile/photo'
const MiB = 1024 * 1024
async function opened(options = {}) {
  const app = await testApp(options)
  return { app, browser: await registeredBrowser(app, ann) }
}

function send(browser: Browser, content: Uint8Array): Promise<Visit> {
  return browser.upload(to, chosen(content), {}, { stay: true })
}

/** Opens the next page, which shows the outcome of the form just sent, and the user. */
function next(browser: Browser): Promise<Visit> {
  return browser.get('/verify-email')
}

function folderOf(app: TestApp): string {
  return app.config.files.disk === 'local' ? app.config.files.path : ''
}

/** Lists the keys of the stored files. */
async function kept(app: TestApp): Promise<string[]> {
  const folder = join(folderOf(app), 'photos')
  return existsSync(folder) ? (await readdir(folder)).map((name) => `photos/${name}`) : []
}

async function photoOf(app: TestApp): Promise<string | null | undefined> {
  return (await allUsers(app.db))[0]?.photo
}

/** Lists the keys of pending `delete-file` jobs. */
async function deletions(app: TestApp): Promise<string[]> {
  const jobs = (await allJobs(app.db)).filter(({ name }) => name === 'delete-file')
  return jobs.map(({ payload }) => (JSON.parse(payload) as { key: string }).key)
}

test('PNG, JPEG and WebP photos are stored, and each page has a link to the photo', async () => {
  const { app, browser } = await opened()
  const photos: (string | null)[] = []
  for (const photo of [png(), jpeg(), webp(), Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')]) {
    const answer = await send(browser, photo)
    expect([answer.status, answer.location]).toEqual([303, '/settings/profile'])
    const page = await next(browser)
    expect(page.flash).toEqual({ success: flashWords.photoSaved })
    expect(readFileSync(join(folderOf(app), (await photoOf(app)) ?? ''))).toEqual(photo)
    photos.push(page.user?.photo?.replace(/\/\w{26}\.(\w+)\?.*/, '/….$1') ?? null)
  }
  expect(photos).toEqual(['png', 'jpg', 'webp', 'png'].map((type) => `/files/photos/….${type}`))
})

test('a photo is stored and served without its location, camera data and comments', async () => {
  const { app, browser } = await opened()
  const outcomes: unknown[] = []
  for (const extension of ['jpg', 'png', 'webp']) {
    await send(browser, readFileSync(`testdata/photos/placed.${extension}`))
    const file = readFileSync(join(folderOf(app), (await photoOf(app)) ?? ''), 'latin1')
    const fetched = await browser.get((await next(browser)).user?.photo ?? '')
    outcomes.push([/Tell|GPS|http/.test(file), /Tell|GPS|http/.test(fetched.body), fetched.status])
  }
  expect(outcomes).toEqual([1, 2, 3].map(() => [false, false, 200]))
})

test('the pages of an account without a photo have no link to one', async () => {
  const { browser } = await opened()
  expect((await next(browser)).user?.photo).toBeNull()
})

test('the type of a photo is detected from its bytes, not from its file name or content type', async () => {
  const { app, browser } = await opened()
  const lies = [
    'GIF89a<script>alert(1)',
    '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
    '<!doctype html><script>alert(1)</script>',
    ' \x89PNG\r\n\x1a\n',
    '\x89PNG\r\n\x1a',
    'RIFF\x1a\0\0\0WAVEfmt ',
    'RIFF\x1a\0\0\0WEB',
    'BM....',
    '%PDF-1.7',
  ]
  for (const lie of lies) {
    await send(browser, Buffer.from(lie, 'latin1'))
    expect((await next(browser)).errors).toEqual({ photo: errorWords.photoType })
  }
  await browser.upload(to, chosen(jpeg(), '../../evil.html', 'text/html'))
  expect(await photoOf(app)).toMatch(/^photos\/[a-z2-7]{26}\.jpg$/)
  expect(await kept(app)).toEqual([await photoOf(app)])
})

test('a file with the first bytes of a photo is accepted, and served as that type, even if it ends there', async () => {
  const { app, browser } = await opened()
  const starts = [
    '\x89PNG\r\n\x1a\n',
    '\xff\xd8\xff',
    '\xff\xd8\xff\xe0\0\x10JFIF',
    'RIFF\x1a\0\0\0WEBP',
  ]
  const served: unknown[] = []
  for (const start of starts) {
    await send(browser, Buffer.from(start, 'latin1'))
    const { user, errors } = await next(browser)
    const photo = await app.browser().send('GET', user?.photo ?? '')
    served.push([errors, photo.status, photo.headers['content-type']])
  }
  const types = ['image/png', 'image/jpeg', 'image/jpeg', 'image/webp']
  expect(served).toEqual(types.map((type) => [{}, 200, type]))
})

test('photos of the shared fixtures are accepted, other files are refused', async ({ skip }) => {
  const path = '../shared/vectors/upload-fixtures.json'
  if (!existsSync(path)) skip()
  const fixtures = JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>
  const { app, browser } = await opened()
  const errors: Record<string, string | undefined> = {}
  for (const [name, content] of Object.entries(fixtures)) {
    await app.pass({ minutes: 1 })
    await send(browser, Buffer.from(content, 'base64'))
    errors[name] = (await next(browser)).errors['photo']
  }
  const fine = Object.keys(errors).filter((name) => errors[name] === undefined)
  expect(fine).toEqual([
    'png_min_8_bytes',
    'png_1x1',
    'png_html_polyglot',
    'jpeg_min',
    'jpeg_exif_gps_stub',
    'webp_min',
  ])
  expect(errors).toMatchObject({
    png_bomb_header_30000x30000: errorWords.photoWide,
    gif: errorWords.photoType,
    empty: errorWords.photoMissing,
  })
})

test('a photo of 2 MiB is accepted, and one byte more shows an error at its field', async () => {
  const { browser } = await opened()
  await send(browser, pngOfBytes(2 * MiB))
  const fits = await next(browser)
  await send(browser, pngOfBytes(2 * MiB + 1))
  const larger = await next(browser)
  expect([fits.errors, larger.errors]).toEqual([{}, { photo: errorWords.photoLarge }])
  expect(larger.user?.photo).toBe(fits.user?.photo)
})

test('a photo of 31 MiB shows an error at its field', async () => {
  const { browser } = await opened()
  const answer = await send(browser, pngOfBytes(31 * MiB))
  expect(answer.status).toBe(303)
  expect((await next(browser)).errors).toEqual({ photo: errorWords.photoLarge })
})

test('an upload with a Content-Length over 32 MiB gets a 413, and its connection is closed', async () => {
  const { app, browser } = await opened()
  const answer = await sendRaw(
    app.port,
    `${uploadHeaders(browser.cookies)}Content-Length: ${32 * MiB + 1}\r\n\r\n`,
  )
  expect(answer).toMatchObject({ status: 413, headers: { connection: 'close' } })
})

test('a chunked upload over 32 MiB gets a 413, and its connection is closed', async () => {
  const { app, browser } = await opened()
  const part = '--edge\r\nContent-Disposition: form-data; name="photo"; filename="a"\r\n\r\n'
  const size = 32 * MiB + 1 - part.length
  const chunks = [part, 'x'.repeat(size)].map(
    (text) => `${text.length.toString(16)}\r\n${text}\r\n`,
  )
  const bytes = `${uploadHeaders(browser.cookies)}Transfer-Encoding: chunked\r\n\r\n${chunks.join('')}`
  const answer = await sendRaw(app.port, bytes)
  expect(answer).toMatchObject({ status: 413, headers: { connection: 'close' } })
})

/** Returns the answer to an upload that stalls after so many bytes until its time is up. */
async function slowly(bytes: number) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  const moved = globalThis.setTimeout
  const waits = Promise.withResolvers<void>()
  globalThis.setTimeout = ((...args: Parameters<typeof setTimeout>) => {
    if (args[1] === 29_000) waits.resolve()
    return moved(...args)
  }) as typeof setTimeout
  onTestFinished(() => {
    globalThis.setTimeout = moved
    vi.useRealTimers()
  })
  const { app, browser } = await opened()
  const part = '--edge\r\nContent-Disposition: form-data; name="photo"; filename="a"\r\n\r\n'
  const sent = `${uploadHeaders(browser.cookies)}Content-Length: ${3 * MiB}\r\n\r\n${part}${'x'.repeat(bytes)}`
  const answer = sendRaw(app.port, sent)
  // No query runs by now: database timeouts use the same fake clock.
  await waits.promise
  // Lets the server read everything sent: both ends are in this process, and each turn reads a part.
  for (let turn = 0; turn < 500; turn++) await nextTurn()
  vi.advanceTimersByTime(29_000)
  return answer
}

test('a photo within the size limit that does not arrive in time gets a 408 that says what to do', async () => {
  const { status, headers, body } = await slowly(MiB)
  expect([status, headers['connection']]).toEqual([408, 'close'])
  expect(body).toContain(errorPages[408].text)
})

test('a photo over the size limit that does not arrive in time gets a 413', async () => {
  const { status, headers } = await slowly(2 * MiB + 1)
  expect([status, headers['connection']]).toEqual([413, 'close'])
})

test('a photo with over 8,192 pixels a side is refused because of its header', async () => {
  const { app, browser } = await opened()
  const wide = [pngHeader(8193, 1), pngHeader(1, 8193), jpeg(8193), jpeg(1, 8193), webp(8193)]
  // Metadata before the size is not kept.
  wide.push(commented(pngHeader(8193, 1)))
  for (const photo of wide) {
    await send(browser, photo)
    expect((await next(browser)).errors).toEqual({ photo: errorWords.photoWide })
  }
  for (const photo of [pngHeader(8192, 8192), jpeg(8192, 8192), webp(8192, 8192)]) {
    await send(browser, photo)
    expect((await next(browser)).errors).toEqual({})
  }
  expect(await photoOf(app)).toMatch(/webp$/)
})

test('a user’s fifth simultaneous upload gets a 503 with Retry-After before it is read, and is not counted', async () => {
  const { app, browser } = await opened()
  const five = [1, 2, 3, 4, 5].map(() => heldUpload(app, browser.cookies))
  // Any answer now is the refusal: none of the five has sent its whole photo.
  const refused = await Promise.race(five.map(({ answer }) => answer))
  const bobs = await send(await registeredBrowser(app, bob), png())
  for (const { end } of five) end()
  const statuses = (await Promise.all(five.map(({ answer }) => answer))).map((text) =>
    text.slice(9, 12),
  )
  expect(refused).toMatch(/^HTTP\/1.1 503 .*\r\nRetry-After: 5\r\n.*\r\nConnection: close\r\n/is)
  expect(refused).toContain(errorPages[503].text)
  expect(bobs.location).toBe('/settings/profile')
  expect(statuses.toSorted()).toEqual(['303', '303', '303', '303', '503'])
  const more = [5, 6, 7, 8, 9, 10].map(() => png())
  for (const photo of more) await send(browser, photo)
  expect((await next(browser)).errors).toEqual({})
  await send(browser, png())
  expect((await next(browser)).errors).toEqual({ photo: tryAgainIn(60) })
})

test('the ninth simultaneous upload from an address gets a 503, whoever its users are', async () => {
  const { app, browser } = await opened()
  const browsers = [browser]
  for (const person of [bob, { ...bob, email: 'cy@x.test' }])
    browsers.push(await registeredBrowser(app, person))
  const nine = browsers.flatMap(({ cookies }) => [1, 2, 3].map(() => heldUpload(app, cookies)))
  const refused = await Promise.race(nine.map(({ answer }) => answer))
  for (const { end } of nine) end()
  const statuses = (await Promise.all(nine.map(({ answer }) => answer))).map((text) =>
    text.slice(9, 12),
  )
  expect(refused).toMatch(/^HTTP\/1.1 503 /)
  expect(statuses.filter((status) => status !== '303')).toEqual(['503'])
})

test('uploads that come too often take no place from others while they are read', async () => {
  const { app, browser } = await opened()
  for (let sent = 0; sent < 10; sent++) await send(browser, png())
  const counted = async () => (await allThrottles(app.db)).map(({ tries }) => tries)
  const nine: ReturnType<typeof heldUpload>[] = []
  for (let n = 1; n <= 9; n++) {
    nine.push(heldUpload(app, browser.cookies))
    // Each is counted once it has its place.
    await expect.poll(counted).toContain(10 + n)
  }
  const twentieth = await send(browser, png())
  for (const { end } of nine) end()
  const texts = await Promise.all(nine.map(({ answer }) => answer))
  expect([twentieth.status, twentieth.headers['retry-after']]).toEqual([303, '60'])
  expect(texts.filter((text) => !/^HTTP\/1.1 303 .*\r\nRetry-After: 60\r\n/is.test(text))).toEqual(
    [],
  )
})

test('an upload that is broken off or refused makes room for another', async () => {
  const { app, browser } = await opened()
  const five = [1, 2, 3, 4, 5].map(() => heldUpload(app, browser.cookies))
  await Promise.race(five.map(({ answer }) => answer))
  expect((await send(browser, png())).status).toBe(503)
  for (const { leave } of five) leave()
  await expect.poll(async () => (await send(browser, png())).status).toBe(303)
  for (const text of ['1', '2', '3', '4', '5']) await send(browser, Buffer.from(text))
  expect((await next(browser)).errors).toEqual({ photo: errorWords.photoType })
})

test('a photo in more than ten thousand parts shows an error at its field and is not stored', async () => {
  const { app, browser } = await opened()
  await send(browser, pngOfChunks(13_407))
  expect((await next(browser)).errors).toEqual({ photo: errorWords.photoParts })
  expect([await photoOf(app), await kept(app)]).toEqual([null, []])
})

test('a form without a photo shows an error that asks for one', async () => {
  const { browser } = await opened()
  const type = 'application/octet-stream'
  const errors: unknown[] = []
  await browser.upload(to, chosen(new Uint8Array(), '', type), {}, { stay: true })
  errors.push((await next(browser)).errors)
  await browser.upload(to, { ...chosen(png()), field: 'other' }, {}, { stay: true })
  errors.push((await next(browser)).errors)
  await browser.post(to, {}, { stay: true })
  errors.push((await next(browser)).errors)
  await browser.post(to, { photo: 'text' }, { stay: true })
  errors.push((await next(browser)).errors)
  const missing = { photo: errorWords.photoMissing }
  expect(errors).toEqual([missing, missing, missing, missing])
})

function part(content: string): string {
  return `--edge\r\nContent-Disposition: form-data; name="photo"\r\n\r\n${content}\r\n`
}

test('the first of two photos in one form is stored', async () => {
  const { app, browser } = await opened()
  const body = `${part('RIFF\x1a\0\0\0WEBPVP8L')}${part('%PDF'.repeat(10))}--edge--\r\n`
  await browser.send('POST', to, { type: 'multipart/form-data; boundary=edge', body })
  expect(await photoOf(app)).toMatch(/webp$/)
  expect(readFileSync(join(folderOf(app), (await photoOf(app)) ?? ''), 'latin1')).toBe(
    'RIFF\x1a\0\0\0WEBPVP8L',
  )
})

/** Makes so many fields of this length. */
function fill(count: number, length: number): Record<string, string> {
  const fields = Array.from({ length: count }, (_, at) => [`f${at}`, 'x'.repeat(length)])
  return Object.fromEntries(fields) as Record<string, string>
}

test('the other fields of an upload are limited to 64 KiB in all and to a hundred', async () => {
  const { browser } = await opened()
  const answers = [
    await browser.upload(to, chosen(png()), fill(1, 65_000), { stay: true }),
    await browser.upload(to, chosen(png()), fill(1, 65_537), { stay: true }),
    await browser.upload(to, chosen(png()), fill(50, 1_400), { stay: true }),
    // Too long only when their names are counted.
    await browser.upload(to, chosen(png()), fill(64, 1_022), { stay: true }),
    await browser.upload(to, chosen(png()), fill(99, 1), { stay: true }),
    await browser.upload(to, chosen(png()), fill(101, 1), { stay: true }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([303, 413, 413, 413, 303, 400])
})

test('an unreadable form gets a 400, and a form of another content type gets a 415', async () => {
  const { browser } = await opened()
  const cut = '--edge\r\nContent-Disposition: form-data; name="photo"; filename="a"\r\n\r\ncut'
  const ask = (type: string, body: string) =>
    browser.send('POST', to, { type, body, headers: { 'X-Page': 'true' } })
  const answers = [
    await ask('multipart/form-data', 'x'),
    await ask('multipart/form-data; boundary=edge', 'x'),
    await ask('multipart/form-data; boundary=edge', cut),
    await ask('image/png', 'x'),
  ]
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 415])
})

test('an upload that ends before its first part gets a 400', async () => {
  const { browser } = await opened()
  const type = 'multipart/form-data; boundary=x'
  const body = '--x--\r\n--x--\r\n'
  const answer = await browser.send('POST', to, { type, body })
  expect(answer.status).toBe(400)
})

test('an upload that cannot be read counts against the limit of uploads', async () => {
  const { browser } = await opened()
  const type = 'multipart/form-data; boundary=x'
  for (let sent = 0; sent < 10; sent++)
    await browser.send('POST', to, { type, body: '--x--\r\n--x--\r\n' })
  const eleventh = await send(browser, png())
  expect([eleventh.status, eleventh.headers['retry-after']]).toEqual([303, '60'])
})

test('an upload by a guest or after the confirmation lapsed is redirected, and its connection is reused', async () => {
  const { app, browser } = await opened()
  const guest = await send(app.browser(), pngOfBytes(3 * MiB))
  await app.pass({ hours: 1, minutes: 59 })
  await next(browser)
  await app.pass({ hours: 1, minutes: 2 })
  const lapsed = await send(browser, pngOfBytes(3 * MiB))
  const connections = [guest, lapsed].map(({ headers }) => headers.connection)
  expect([guest.status, guest.location]).toEqual([303, '/login'])
  expect([lapsed.status, lapsed.location]).toEqual([303, '/confirm-password'])
  expect(connections).toEqual(['keep-alive', 'keep-alive'])
  expect(await kept(app)).toEqual([])
})

test('a user may upload ten photos a minute, whatever they remove, and the next one shows an error with the wait', async () => {
  const { app, browser } = await opened()
  for (let sent = 0; sent < 9; sent++) await send(browser, png())
  await browser.post(to, { _method: 'DELETE' })
  await send(browser, png())
  const tenth = await next(browser)
  const eleventh = await send(browser, pngOfBytes(3 * MiB))
  const refused = await next(browser)
  const bobs = await send(await registeredBrowser(app, bob), png())
  await app.pass({ minutes: 1 })
  await send(browser, jpeg())
  expect(tenth.flash).toEqual({ success: flashWords.photoSaved })
  expect([eleventh.status, eleventh.headers['retry-after']]).toEqual([303, '60'])
  expect(refused.errors).toEqual({ photo: tryAgainIn(60) })
  expect(bobs.location).toBe('/settings/profile')
  expect((await next(browser)).flash).toEqual({ success: flashWords.photoSaved })
})

test('a JSON client gets an error for a missing photo, can remove the photo, and gets a 401 as a guest', async () => {
  const { app, browser } = await opened()
  const sent = await browser.postJson(to, { photo: 'data:image/png;base64,' })
  const removed = await browser.postJson(to, { _method: 'DELETE' })
  const guest = await app.browser().postJson(to, {})
  expect([sent.status, sent.json]).toEqual([
    422,
    { message: errorWords.invalid, errors: { photo: errorWords.photoMissing } },
  ])
  expect([removed.status, removed.json]).toEqual([200, { redirect: '/settings/profile' }])
  expect(guest.status).toBe(401)
})

test('a throttled validation-only upload gets a 422 and leaves no error in the session', async () => {
  const { browser } = await opened()
  const headers = { 'X-Page-Validate-Only': 'photo' }
  const ask = () => browser.upload(to, chosen(png()), {}, { headers, stay: true })
  for (let times = 0; times < 10; times++) expect((await ask()).status).toBe(204)
  const visit = await ask()
  expect([visit.status, visit.headers['x-page-validate-only']]).toEqual([422, 'true'])
  expect(visit.json).toEqual({ errors: { photo: expect.stringMatching(/^Too many tries/) } })
  expect((await next(browser)).errors).toEqual({})
})

test('a validation-only upload gets the errors of the photo and stores nothing', async () => {
  const { app, browser } = await opened()
  const ask = (content: Uint8Array, fields: string) =>
    browser.upload(
      to,
      chosen(content),
      {},
      { headers: { 'X-Page-Validate-Only': fields }, stay: true },
    )
  const answers = [await ask(png(), ''), await ask(jpeg(9000), 'photo'), await ask(jpeg(9000), 'a')]
  expect(answers.map(({ status }) => status)).toEqual([204, 422, 204])
  expect(answers[1]?.json).toEqual({ errors: { photo: errorWords.photoWide } })
  expect([await photoOf(app), await kept(app)]).toEqual([null, []])
})

test('a validation-only request does not remove the photo', async () => {
  const { app, browser } = await opened()
  await send(browser, png())
  const photo = await photoOf(app)
  const sending = { headers: { 'X-Page': 'true', 'X-Page-Validate-Only': '' }, stay: true }
  const answers = [
    await browser.send('DELETE', to, sending),
    await browser.post(to, { _method: 'DELETE' }, sending),
  ]
  expect(answers.map(({ status }) => status)).toEqual([204, 204])
  expect(await photoOf(app)).toBe(photo)
})

test('a new photo replaces the old one, and a job deletes the old file', async () => {
  const { app, browser } = await opened({ workers: true })
  await send(browser, png())
  const old = await photoOf(app)
  await send(browser, jpeg())
  const photo = await photoOf(app)
  expect(photo).not.toBe(old)
  await expect.poll(() => deletions(app)).toEqual([])
  expect(await kept(app)).toEqual([photo])
})

test('the job that deletes the old file is pushed together with the change', async () => {
  const { app, browser } = await opened()
  await send(browser, png())
  const old = await photoOf(app)
  expect(await deletions(app)).toEqual([])
  await send(browser, jpeg())
  expect(await deletions(app)).toEqual([old])
  expect(await kept(app)).toContain(old)
})

test('of photos uploaded at once, one remains and the files of the others are deleted', async () => {
  const { app, browser } = await opened({ workers: true })
  await Promise.all(Array.from({ length: 5 }, () => send(browser, png())))
  await expect.poll(() => deletions(app)).toEqual([])
  expect(await kept(app)).toEqual([await photoOf(app)])
})

test('a removed photo disappears from the pages at once, and a job is pushed to delete its file', async () => {
  const { app, browser } = await opened()
  const removals: (() => Promise<Visit>)[] = [
    () => browser.send('DELETE', to),
    () => browser.post(to, { _method: 'DELETE' }, { stay: true }),
    () => browser.upload(to, chosen(jpeg()), { _method: 'delete' }, { stay: true }),
  ]
  for (const remove of removals) {
    await send(browser, png())
    const key = await photoOf(app)
    const answer = await remove()
    const page = await next(browser)
    expect([answer.status, answer.location]).toEqual([303, '/settings/profile'])
    expect([page.user?.photo, page.flash]).toEqual([null, { success: flashWords.photoRemoved }])
    expect((await deletions(app)).at(-1)).toBe(key)
  }
})

test('removing a photo where there is none pushes no job', async () => {
  const { app, browser } = await opened()
  const answer = await browser.send('DELETE', to)
  expect([answer.status, await deletions(app)]).toEqual([303, []])
})

test('the old photo stays, and no other file remains, when the new file cannot be written', async () => {
  const { app, browser } = await opened({ workers: true })
  await send(browser, png())
  const old = await photoOf(app)
  const folder = join(folderOf(app), 'photos')
  const content = readFileSync(join(folderOf(app), old ?? ''))
  rmSync(folder, { recursive: true })
  writeFileSync(folder, 'in the way')
  const answer = await send(browser, jpeg())
  rmSync(folder)
  await mkdir(folder)
  writeFileSync(join(folderOf(app), old ?? ''), content)
  expect([answer.status, await photoOf(app)]).toEqual([500, old])
  expect(await deletions(app)).toHaveLength(1)
  await app.pass({ minutes: 15 })
  await expect.poll(() => deletions(app)).toEqual([])
  expect(await kept(app)).toEqual([old])
})

test('a photo folder that cannot be used is logged with its path, its setting and the cause', async () => {
  const { app, browser } = await opened()
  writeFileSync(folderOf(app), 'in the way')
  await send(browser, png())
  const line = app.logLines.find(({ level }) => level === 'error')
  const error: unknown = line?.facts['error']
  expect(error).toMatchObject({ cause: { code: 'ENOTDIR' } })
  expect(String(error)).toContain(`${folderOf(app)} is no folder`)
  expect(String(error)).toContain('FILES_PATH')
})

test('the old photo stays, and a job deletes the new file, when the row cannot be written', async () => {
  const { app, browser } = await opened({ workers: true })
  await send(browser, png())
  const old = await photoOf(app)
  await refusePhotos(app.db)
  const answer = await send(browser, jpeg())
  await allowPhotos(app.db)
  expect([answer.status, await photoOf(app)]).toEqual([500, old])
  expect(await kept(app)).toHaveLength(2)
  const deletion = (await allJobs(app.db)).find(({ name }) => name === 'delete-file')
  expect(deletion?.runAt).toEqual(new Date(app.now().getTime() + 15 * 60_000))
  await app.pass({ minutes: 15 })
  await expect.poll(() => deletions(app)).toEqual([])
  expect(await kept(app)).toEqual([old])
})

test('a photo written after the job that deletes it shows an error that asks for it again and leaves no file', async () => {
  const { app, browser } = await opened({ workers: true })
  await mkdir(join(folderOf(app), 'photos'), { recursive: true })
  const files = { ...app.files }
  const late = async (...args: Parameters<typeof files.put>) => {
    await app.pass({ minutes: 15 })
    await expect.poll(() => deletions(app)).toEqual([])
    await files.put(...args)
  }
  Object.assign(app.files, { put: late })
  await send(browser, png())
  expect((await next(browser)).errors).toEqual({ photo: errorWords.photoAgain })
  await expect.poll(() => deletions(app)).toEqual([])
  expect([await photoOf(app), await kept(app)]).toEqual([null, []])
})

test('deleting a file also deletes the partial file of an interrupted write', async () => {
  const { app } = await opened()
  const path = join(folderOf(app), 'photos/abc.png.part')
  await mkdir(dirname(path), { recursive: true })
  writeFileSync(path, 'half')
  await app.files.delete('photos/abc.png')
  expect(await kept(app)).toEqual([])
})

test('a job deletes the file of an upload whose account was deleted meanwhile', async () => {
  const { app, browser } = await opened()
  const files = { ...app.files }
  const late = async (...args: Parameters<typeof files.put>) => {
    await files.put(...args)
    await deleteUsers(app.db)
  }
  Object.assign(app.files, { put: late })
  await send(browser, png())
  expect(new Set(await deletions(app))).toEqual(new Set(await kept(app)))
})
