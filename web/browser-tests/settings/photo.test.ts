import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { buttons } from '#words/buttons'
import { errorWords } from '#words/errors'
import { flashWords } from '#words/flash'
import { labels } from '#words/labels'
import { offline } from '#words/client/offline'
import { profile } from '#words/settings/profile'
import { security } from '#words/settings/security'
import { settings } from '#words/settings/settings'
import { loadAxe, axeViolations } from '../../../internal/testing/chromium/axe.ts'
import { chromiumOfFile } from '../../../internal/testing/chromium/chromium.ts'
import { ann } from '../../../internal/testing/people.ts'
import {
  holdRequests,
  awaitIdle,
  awaitLive,
  registerVerified,
  serveWithProfile,
} from '../../../internal/testing/chromium/tab.ts'

interface Photo {
  readonly name: string
  readonly mimeType: string
  readonly buffer: Buffer
}

/** The last form data sent, as the page itself sees it. */
interface Sent {
  readonly photo: File
}

const chromium = chromiumOfFile()
const MiB = 1024 * 1024
const quartered = ['red', 'green', 'blue', 'yellow']
/** A format that this browser cannot read. */
const heic = {
  name: 'a.png',
  mimeType: 'image/png',
  buffer: Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic'),
}

test('an 8 MB photo is cropped by mouse, wheel, touch and slider, and uploaded small without metadata', async () => {
  const { page, app } = await openProfilePage({ hasTouch: true })
  const photo = makePhonePhoto(await drawPicture(page, { width: 2016, height: 1512 }))
  // By its path: passing the content to the browser takes seconds.
  const path = join(app.folder, 'photo.jpg')
  writeFileSync(path, photo)
  await page.getByLabel(profile.choose).setInputFiles(path)
  await cropArea(page).waitFor()
  // Upright, though the file stores it rotated.
  expect(await croppedColours(page)).toEqual(['blue', 'red', 'yellow', 'green'])
  const { x, y, width } = (await cropArea(page).boundingBox()) ?? { x: 0, y: 0, width: 0 }
  await page.mouse.move(x + width / 2, y + width / 2)
  await page.mouse.wheel(0, -400)
  await expect.poll(() => page.getByLabel(profile.zoom).inputValue()).toMatch(/^2\.2/)
  await page.mouse.down()
  await page.mouse.move(x - width, y + width * 2, { steps: 4 })
  await page.mouse.up()
  expect(await croppedColours(page)).toEqual(['red', 'red', 'red', 'red'])
  await pinch(page, { x: x + width / 2, y: y + width / 2 })
  await expect.poll(() => page.getByLabel(profile.zoom).inputValue()).toMatch(/^3\.3/)
  await page.getByLabel(profile.zoom).fill('1.5')
  expect(await croppedColours(page)).toEqual(['blue', 'red', 'blue', 'red'])
  const button = page.getByRole('button', { name: buttons.uploadPhoto })
  const sent = await sendPhoto(page, () => button.click())
  expect(sent).toMatchObject({ type: 'image/jpeg', width: 512, height: 512 })
  expect(sent.colours).toEqual(['blue', 'red', 'blue', 'red'])
  expect([photo.length, sent.content.length < 2 * MiB]).toEqual([8 * MiB, true])
  const metadata = /Exif|GPS|Tell|http/
  const hasMetadata = [photo, sent.content].map((file) => metadata.test(file.toString('latin1')))
  expect(hasMetadata).toEqual([true, false])
})

test('a photo can be cropped, cancelled and uploaded with the keyboard only, and the focus follows', async () => {
  const { page } = await openProfilePage({ reducedMotion: 'reduce' })
  const field = page.getByLabel(profile.choose)
  const photo = await drawPicture(page, { width: 600, height: 400 })
  await field.setInputFiles(photo)
  await expect.poll(() => focused(page)).toBe('photo-crop')
  await page.keyboard.press('Escape')
  await cropArea(page).waitFor({ state: 'hidden' })
  expect([await focused(page), await field.inputValue()]).toEqual(['photo', ''])
  await field.setInputFiles(photo)
  await expect.poll(() => focused(page)).toBe('photo-crop')
  for (let count = 0; count < 8; count++) await page.keyboard.press('+')
  for (let count = 0; count < 24; count++) await page.keyboard.press('ArrowRight')
  for (let count = 0; count < 12; count++) await page.keyboard.press('ArrowUp')
  await page
    .locator('#announce')
    .getByText(profile.cropAt('208%', '16%', '76%'))
    .waitFor()
  for (let count = 0; count < 3; count++) await page.keyboard.press('Tab')
  const sent = await sendPhoto(page, () => page.keyboard.press('Enter'))
  // No larger than the visible part of the picture.
  expect(sent).toMatchObject({ width: 192, height: 192, colours: ['blue', 'blue', 'blue', 'blue'] })
  expect(await field.inputValue()).toBe('')
  expect(await focused(page)).toBe('picture-heading')
})

test.for([
  ['wide', { width: 16_000, height: 1_600 }],
  ['high', { width: 1_600, height: 16_000 }],
  ['turned', { width: 16_000, height: 1_600 }],
  ['turned high', { width: 1_600, height: 16_000 }],
] as const)(
  'the photo from a %s panorama is as large as from any other picture',
  async ([shape, size]) => {
    const { page, app } = await openProfilePage()
    const path = join(app.folder, 'panorama.jpg')
    const photo = await drawPicture(page, size)
    writeFileSync(path, shape.startsWith('turned') ? makePhonePhoto(photo) : photo.buffer)
    await page.getByLabel(profile.choose).setInputFiles(path)
    await cropArea(page).waitFor()
    const button = page.getByRole('button', { name: buttons.uploadPhoto })
    expect(await sendPhoto(page, () => button.click())).toMatchObject({ width: 512, height: 512 })
  },
)

test.for([
  ['the crop script', /\/choose-/],
  ['the script that starts the crop', /\/live-/],
] as const)(
  'a form submitted before %s has loaded is sent with its photo cropped',
  async ([, script]) => {
    const { page } = await openProfilePage()
    const released = Promise.withResolvers<void>()
    await page.route(script, async (route) => {
      await released.promise
      await route.continue()
    })
    await page.reload()
    const photo = await drawPicture(page, { width: 600, height: 400 })
    await page.getByLabel(profile.choose).setInputFiles(photo)
    const sent = await sendPhoto(page, async () => {
      await page.getByRole('button', { name: buttons.uploadPhoto }).click()
      released.resolve()
    })
    expect(sent).toMatchObject({ width: 400, height: 400, colours: quartered })
  },
)

test('a crop script that loads after the user left the profile does nothing when the user returns', async () => {
  const { page } = await openProfilePage()
  const scriptRequest = page.waitForRequest(/\/choose-/)
  const { release } = await holdRequests(page, /\/choose-/)
  const photo = await drawPicture(page, { width: 600, height: 400 })
  await page.getByLabel(profile.choose).setInputFiles(photo)
  const address = JSON.stringify((await scriptRequest).url())
  await page.getByRole('link', { name: settings.security }).first().click()
  await page.getByRole('heading', { name: security.heading, exact: true }).waitFor()
  release()
  // The page has imported it before, so its import resolves first; reading a picture takes a moment.
  await page.evaluate(`import(${address}).then(() => createImageBitmap(new ImageData(999, 999)))`)
  await page.goBack()
  await page.getByLabel(profile.choose).waitFor()
  expect(await cropArea(page).isVisible()).toBe(false)
})

test('an upload that waits for the crop script shows progress, and leaving reports that it was not sent', async () => {
  const { page } = await openProfilePage()
  const { isHeld, release } = await holdRequests(page, /\/choose-/)
  const photo = await drawPicture(page, { width: 600, height: 400 })
  await page.getByLabel(profile.choose).setInputFiles(photo)
  await isHeld
  const button = page.getByRole('button', { name: buttons.uploadPhoto })
  await button.click()
  await page.locator('#progress.on').waitFor({ state: 'attached' })
  expect(await button.getAttribute('aria-busy')).toBe('true')
  await page.getByRole('link', { name: settings.security }).first().click()
  await page.getByRole('heading', { name: security.heading, exact: true }).waitFor()
  release()
  await page.getByRole('alert').getByText(offline.photoUnsent).waitFor()
  await page.locator('#progress:not(.on)').waitFor({ state: 'attached' })
})

test('a photo is uploaded once, however often the button is pressed before the crop script loads', async () => {
  const { page } = await openProfilePage()
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(new URL(request.url()).pathname)
  })
  const { isHeld, release } = await holdRequests(page, /\/choose-/)
  const photo = await drawPicture(page, { width: 600, height: 400 })
  await page.getByLabel(profile.choose).setInputFiles(photo)
  await isHeld
  const button = page.getByRole('button', { name: buttons.uploadPhoto })
  await button.dblclick()
  await button.press('Enter')
  release()
  await page.getByRole('status').getByText(flashWords.photoSaved).waitFor()
  await awaitIdle(page)
  expect(sent).toEqual(['/settings/profile/photo'])
})

test('a photo that is being uploaded cannot be cancelled, as it may have been saved', async () => {
  const { page } = await openProfilePage()
  const { isHeld, release } = await holdRequests(page, /\/profile\/photo$/)
  const photo = await drawPicture(page, { width: 600, height: 400 })
  await page.getByLabel(profile.choose).setInputFiles(photo)
  const cancel = page.getByRole('button', { name: profile.cancelCrop })
  await cancel.waitFor()
  await page.getByRole('button', { name: buttons.uploadPhoto }).click()
  await isHeld
  await cancel.waitFor({ state: 'hidden' })
  await cropArea(page).press('Escape')
  expect(await cropArea(page).isVisible()).toBe(true)
  release()
  await page.getByRole('status').getByText(flashWords.photoSaved).waitFor()
  await cropArea(page).waitFor({ state: 'hidden' })
})

test('a photo chosen while another is being uploaded stays after the response, as it is cropped', async () => {
  const { page } = await openProfilePage()
  const { isHeld, release } = await holdRequests(page, /\/profile\/photo$/)
  const field = page.getByLabel(profile.choose)
  await field.setInputFiles(await drawPicture(page, { width: 600, height: 400 }))
  await cropArea(page).waitFor()
  const button = page.getByRole('button', { name: buttons.uploadPhoto })
  await button.click()
  await isHeld
  await field.setInputFiles(await drawPicture(page, { width: 300, height: 300, clear: true }))
  await expect.poll(() => croppedColours(page)).toContain('clear')
  await page.getByLabel(profile.zoom).fill('1.5')
  await button.press('Enter')
  release()
  await page.getByRole('status').getByText(flashWords.photoSaved).waitFor()
  await awaitIdle(page)
  expect(await field.inputValue()).toMatch(/photo\.png$/)
  expect(await page.getByLabel(profile.zoom).inputValue()).toBe('1.5')
  await page.locator('#toasts button').click()
  const sent = await sendPhoto(page, () => button.click())
  expect(sent).toMatchObject({ type: 'image/png', width: 200, height: 200 })
  expect(await field.inputValue()).toBe('')
})

test('a photo is uploaded unchanged after ten seconds if the crop script never loads', async () => {
  const { page } = await openProfilePage()
  await page.clock.install()
  const { isHeld } = await holdRequests(page, /\/choose-/)
  const photo = await drawPicture(page, { width: 600, height: 400 })
  await page.getByLabel(profile.choose).setInputFiles(photo)
  await isHeld
  const sent = await sendPhoto(page, async () => {
    await page.getByRole('button', { name: buttons.uploadPhoto }).click()
    await page.clock.fastForward(10_000)
  })
  expect(sent.content.equals(photo.buffer)).toBe(true)
  expect(sent).toMatchObject({ width: 600, height: 400, colours: quartered })
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('a photo can be dropped on its panel or pasted on the page, and a refused file does not replace it', async () => {
  const { page } = await openProfilePage({ reducedMotion: 'reduce' })
  await loadAxe(page)
  await page.reload()
  // The script for photos is running. Until it is left, the previous page may request its stream too.
  await awaitLive(page)
  const photo = await drawPicture(page, { width: 300, height: 200, clear: true })
  await page.getByLabel(labels.name).focus()
  await transferFile(page, 'paste', '#name', photo)
  await transferFile(page, 'drop', '#danger', photo)
  const field = page.getByLabel(profile.choose)
  expect(await field.inputValue()).toBe('')
  await transferFile(page, 'paste', 'body', photo)
  await cropArea(page).waitFor()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: profile.cancelCrop }).click()
  await cropArea(page).waitFor({ state: 'hidden' })
  await transferFile(page, 'drop', '#picture-heading', photo)
  await cropArea(page).waitFor()
  await transferFile(page, 'drop', '#picture-heading', heic)
  await page.locator('#photo-error').getByText(errorWords.photoType).waitFor()
  expect(await field.inputValue()).toMatch(/photo\.png$/)
  const button = page.getByRole('button', { name: buttons.uploadPhoto })
  const sent = await sendPhoto(page, () => button.click())
  // Transparency is kept.
  expect(sent).toMatchObject({ type: 'image/png', width: 200, height: 200 })
  expect(sent.colours).toEqual(['clear', 'green', 'blue', 'yellow'])
})

test('a click or tap moves that part of the photo to the middle, and two fingers do not', async () => {
  const { page } = await openProfilePage({ hasTouch: true })
  const photo = await drawPicture(page, { width: 600, height: 600 })
  await page.getByLabel(profile.choose).setInputFiles(photo)
  await cropArea(page).waitFor()
  await page.getByLabel(profile.zoom).fill('2')
  const { x, y, width } = (await cropArea(page).boundingBox()) ?? { x: 0, y: 0, width: 0 }
  expect(await croppedColours(page)).toEqual(quartered)
  await page.mouse.move(x + width * 0.95, y + width * 0.95)
  await page.mouse.down()
  // A hand that shakes.
  await page.mouse.move(x + width * 0.95 + 2, y + width * 0.95 - 1)
  await page.mouse.up()
  expect(await croppedColours(page)).toEqual(['yellow', 'yellow', 'yellow', 'yellow'])
  await page.touchscreen.tap(x + width * 0.1, y + width * 0.5)
  expect(await croppedColours(page)).toEqual(['blue', 'yellow', 'blue', 'yellow'])
  const devTools = await page.context().newCDPSession(page)
  const touch = (
    type: 'touchStart' | 'touchEnd',
    touchPoints: { x: number; y: number; id: number }[],
  ) => devTools.send('Input.dispatchTouchEvent', { type, touchPoints })
  const finger = { x: x + width * 0.1, y: y + width * 0.9, id: 0 }
  await touch('touchStart', [finger])
  await touch('touchStart', [finger, { x: x + width * 0.2, y: y + width * 0.9, id: 1 }])
  await touch('touchEnd', [finger])
  await touch('touchEnd', [])
  expect(await croppedColours(page)).toEqual(['blue', 'yellow', 'blue', 'yellow'])
})

test.for([
  [360, 640],
  [390, 844],
] as const)(
  'on a phone of %d by %d pixels a chosen photo, its zoom and its buttons are visible together',
  async ([width, height]) => {
    const { page } = await openProfilePage({ viewport: { width, height } })
    const photo = await drawPicture(page, { width: 600, height: 400 })
    await page.getByLabel(profile.choose).setInputFiles(photo)
    await expect.poll(() => focused(page)).toBe('photo-crop')
    const controls = [
      cropArea(page),
      page.getByLabel(profile.zoom),
      page.getByRole('button', { name: buttons.uploadPhoto }),
      page.getByRole('button', { name: profile.cancelCrop }),
    ]
    const boxes = await Promise.all(controls.map((each) => each.boundingBox()))
    const areVisible = boxes.map((box) => box && box.y >= 0 && box.y + box.height <= height)
    expect(areVisible).toEqual([true, true, true, true])
  },
)

async function openProfilePage(options: Parameters<typeof serveWithProfile>[1] = {}) {
  const { page, app } = await serveWithProfile(chromium(), options)
  await registerVerified(app, page, ann)
  await page.addInitScript(() =>
    document.addEventListener('formdata', ({ formData }) =>
      Object.assign(window, { photo: formData.get('photo') }),
    ),
  )
  await page.goto('/settings/profile')
  return { page, app }
}

function cropArea(page: Page) {
  return page.getByRole('application', { name: profile.crop })
}

function focused(page: Page): Promise<string | undefined> {
  return page.evaluate(() => document.activeElement?.id)
}

/** Draws a picture of four quarters in the browser: a JPEG, or with a clear first quarter a PNG. */
async function drawPicture(
  page: Page,
  size: { width: number; height: number; clear?: boolean },
): Promise<Photo> {
  const url = await page.evaluate(
    ({ width, height, clear, colours }) => {
      const canvas = Object.assign(document.createElement('canvas'), { width, height })
      const context = canvas.getContext('2d')
      for (const [index, colour] of colours.entries()) {
        if (!context || (clear && index === 0)) continue
        context.fillStyle = colour
        context.fillRect(
          ((index % 2) * width) / 2,
          (index >> 1) * (height / 2),
          width / 2,
          height / 2,
        )
      }
      return canvas.toDataURL(clear ? 'image/png' : 'image/jpeg')
    },
    { ...size, colours: quartered },
  )
  const buffer = Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')
  const type = size.clear ? 'png' : 'jpeg'
  return { name: `photo.${type}`, mimeType: `image/${type}`, buffer }
}

/** Returns a JPEG like a phone's: 8 MiB, stored rotated, with its location and more. */
function makePhonePhoto({ buffer }: Photo): Buffer {
  const exifPhoto = readFileSync('testdata/photos/placed.jpg')
  // The JFIF segment, then the Exif one.
  const header = exifPhoto.subarray(0, 22 + exifPhoto.readUInt16BE(22))
  return Buffer.concat([header, buffer.subarray(2)], 8 * MiB)
}

/** Returns the colours that the crop shows. */
async function croppedColours(page: Page): Promise<string[]> {
  const url = await cropArea(page).evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL())
  return (await readPicture(page, url)).colours
}

/** Returns the photo that a click sends, and how it is stored. */
async function sendPhoto(page: Page, press: () => Promise<void>) {
  await press()
  await page.getByRole('status').getByText(flashWords.photoSaved).waitFor()
  const { type, bytes } = await page.evaluate(async () => {
    const { photo } = window as unknown as Sent
    return { type: photo.type, bytes: [...new Uint8Array(await photo.arrayBuffer())] }
  })
  const savedImage = page.locator('.photo img')
  const storedPhoto = await page.request.get((await savedImage.getAttribute('src')) ?? '')
  const url = `data:${type};base64,${(await storedPhoto.body()).toString('base64')}`
  return { type, content: Buffer.from(bytes), ...(await readPicture(page, url)) }
}

/** Returns the size of a picture, and the colours of its corners, row by row. */
async function readPicture(page: Page, url: string) {
  const { pixels, ...size } = await page.evaluate(
    async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
      const picture = await createImageBitmap(new Blob([bytes]))
      const { width, height } = picture
      const canvas = Object.assign(document.createElement('canvas'), { width, height })
      const context = canvas.getContext('2d', { willReadFrequently: true })
      context?.drawImage(picture, 0, 0)
      const colourAt = (x: number, y: number) => [
        ...(context?.getImageData(Math.floor(width * x), Math.floor(height * y), 1, 1).data ?? []),
      ]
      return {
        width,
        height,
        pixels: [colourAt(0.1, 0.1), colourAt(0.9, 0.1), colourAt(0.1, 0.9), colourAt(0.9, 0.9)],
      }
    },
    url.slice(url.indexOf(',') + 1),
  )
  return { ...size, colours: pixels.map(colourName) }
}

/** Names a colour by whether it has much red, green and blue. */
function colourName([red = 0, green = 0, blue = 0, alpha = 0]: readonly number[]): string {
  if (alpha < 99) return 'clear'
  const key = [red, green, blue].map((value) => Number(value > 99)).join('')
  const names: Readonly<Record<string, string>> = {
    '100': 'red',
    '010': 'green',
    '001': 'blue',
    '110': 'yellow',
  }
  return names[key] ?? key
}

/** Spreads two fingers around a place, to one and a half times their distance. */
async function pinch(page: Page, { x, y }: { readonly x: number; readonly y: number }) {
  const devTools = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', distance?: number) =>
    devTools.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: distance
        ? [-distance, distance].map((offset, id) => ({ x: x + offset, y, id }))
        : [],
    })
  await touch('touchStart', 40)
  for (const distance of [45, 50, 55, 60]) await touch('touchMove', distance)
  await touch('touchEnd')
}

/** Pastes or drops a file there. */
function transferFile(
  page: Page,
  type: 'paste' | 'drop',
  selector: string,
  file: Photo,
): Promise<void> {
  const { name, mimeType, buffer } = file
  return page.locator(selector).evaluate(
    (element, { type, name, mimeType, bytes }) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([Uint8Array.from(bytes)], name, { type: mimeType }))
      const init = { bubbles: true, cancelable: true, dataTransfer: transfer }
      const event =
        type === 'drop'
          ? new DragEvent(type, init)
          : new ClipboardEvent(type, { ...init, clipboardData: transfer })
      element.dispatchEvent(event)
    },
    { type, name, mimeType, bytes: [...buffer] },
  )
}
