import { test } from 'vitest'
import { buttons } from '#words/buttons'
import { errorPages, errorTitle } from '#words/error'
import { flashWords } from '#words/flash'
import { profile } from '#words/profile'
import { chromiumOfFile } from '../internal/testing/chromium/chromium.ts'
import { heldUpload } from '../internal/testing/network/held-upload.ts'
import { ann } from '../internal/testing/people.ts'
import { pngOfBytes } from '../internal/testing/formats/photos.ts'
import { registerVerified, serveWithProfile } from '../internal/testing/chromium/tab.ts'

const chromium = chromiumOfFile()
const busy = errorPages[503].text
const file = {
  name: 'photo.png',
  mimeType: 'image/png',
  buffer: pngOfBytes(2 * 1024 * 1024),
}

/** Opens the profile of a user who is uploading as many photos elsewhere as they may at once. */
async function onProfile(options: Parameters<typeof serveWithProfile>[1]) {
  const { page, app, context } = await serveWithProfile(chromium(), options)
  await registerVerified(app, page, ann)
  const cookies = (await context.cookies()).map(({ name, value }) => [name, value] as const)
  const five = [1, 2, 3, 4, 5].map(() => heldUpload(app, cookies))
  await Promise.race(five.map(({ answer }) => answer))
  await page.goto('/settings/profile')
  await page.getByLabel(profile.choose).setInputFiles(file)
  const press = () => page.getByRole('button', { name: buttons.uploadPhoto }).click()
  const makeRoom = () => {
    for (const { end } of five) end()
    return Promise.all(five.map(({ answer }) => answer))
  }
  return { page, press, makeRoom }
}

test('a photo upload beyond the limit is reported on the page, and works when it is submitted again later', async () => {
  const { page, press, makeRoom } = await onProfile({ allowed: /status of 503/ })
  await press()
  await page.getByRole('alert').getByText(busy).waitFor()
  await makeRoom()
  await press()
  await page.getByRole('status').getByText(flashWords.photoSaved).waitFor()
})

test('without JavaScript a photo upload beyond the limit is reported on an error page', async () => {
  const { page, press } = await onProfile({ allowed: /status of 503/, javaScriptEnabled: false })
  await press()
  await page.getByRole('heading', { name: errorTitle(503) }).waitFor()
  await page.getByText(busy).waitFor()
})
