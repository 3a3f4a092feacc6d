import { test } from 'vitest'
import { buttons } from '#words/buttons'
import { errorPages, errorTitle } from '#words/error'
import { flashWords } from '#words/flash'
import { profile } from '#words/settings/profile'
import { chromiumOfFile } from '../../../internal/testing/chromium/chromium.ts'
import { heldUpload } from '../../../internal/testing/network/held-upload.ts'
import { ann } from '../../../internal/testing/people.ts'
import { pngOfBytes } from '../../../internal/testing/formats/photos.ts'
import { registerVerified, serveWithProfile } from '../../../internal/testing/chromium/tab.ts'

const chromium = chromiumOfFile()
const busyMessage = errorPages[503].text
const photo = {
  name: 'photo.png',
  mimeType: 'image/png',
  buffer: pngOfBytes(2 * 1024 * 1024),
}

/** Opens the profile of a user who is uploading as many photos elsewhere as they may at once. */
async function openProfilePage(options: Parameters<typeof serveWithProfile>[1]) {
  const { page, app, context } = await serveWithProfile(chromium(), options)
  await registerVerified(app, page, ann)
  const cookies = (await context.cookies()).map(({ name, value }) => [name, value] as const)
  const uploads = [1, 2, 3, 4, 5].map(() => heldUpload(app, cookies))
  await Promise.race(uploads.map(({ answer }) => answer))
  await page.goto('/settings/profile')
  await page.getByLabel(profile.choose).setInputFiles(photo)
  const upload = () => page.getByRole('button', { name: buttons.uploadPhoto }).click()
  const makeRoom = () => {
    for (const { end } of uploads) end()
    return Promise.all(uploads.map(({ answer }) => answer))
  }
  return { page, upload, makeRoom }
}

test('a photo upload beyond the limit is reported on the page, and works when it is submitted again later', async () => {
  const { page, upload, makeRoom } = await openProfilePage({ allowed: /status of 503/ })
  await upload()
  await page.getByRole('alert').getByText(busyMessage).waitFor()
  await makeRoom()
  await upload()
  await page.getByRole('status').getByText(flashWords.photoSaved).waitFor()
})

test('without JavaScript a photo upload beyond the limit is reported on an error page', async () => {
  const { page, upload } = await openProfilePage({
    allowed: /status of 503/,
    javaScriptEnabled: false,
  })
  await upload()
  await page.getByRole('heading', { name: errorTitle(503) }).waitFor()
  await page.getByText(busyMessage).waitFor()
})
