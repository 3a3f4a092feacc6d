import { expect, test } from 'vitest'
import { deleteAccount } from '../domain/accounts/delete-account.ts'
import { register } from '../domain/accounts/register.ts'
import { resetLink, resetPassword } from '../domain/accounts/reset-password.ts'
import { savePhoto } from '../domain/photos/save-photo.ts'
import { browserFacts } from '../testing/browser-facts.ts'
import { tokenIn } from '../testing/mails.ts'
import { afterPasswordHash, beforeNextTransaction } from '../testing/app-hooks.ts'
import { ann, registeredBrowser, registration } from '../testing/people.ts'
import { judged, png } from '../testing/formats/photos.ts'
import { hideJobs, showJobs } from '../testing/database/hidden-tables.ts'
import {
  addPasskeysAndTokens,
  allJobs,
  allLogins,
  allUsers,
  countPasskeysAndTokens,
  setPhotoKey,
  refuseNotifications,
  verifyEmails,
} from '../testing/database/rows.ts'
import { testApp } from '../testing/test-app.ts'
import { turnOn, verifiedBrowser } from '../testing/two-factor.ts'
import { appWithAnn } from '../testing/app-with-ann.ts'
import type { App } from '../app.ts'

test('two-factor login stays on when the notification that it is off cannot be stored', async () => {
  const app = await testApp()
  const browser = await verifiedBrowser(app)
  await turnOn(app, browser)
  await refuseNotifications(app.db)
  const visit = await browser.post('/settings/two-factor', { _method: 'DELETE' })
  expect(visit.status).toBe(500)
  expect((await allUsers(app.db))[0]?.twoFactorSecret).not.toBeNull()
})

test('an account is not created when the job that mails its link cannot be stored', async () => {
  const app = await testApp()
  await hideJobs(app.db)
  const visit = await app.browser().post('/register', registration(ann))
  await showJobs(app.db)
  expect(visit.status).toBe(500)
  expect([await allUsers(app.db), await allLogins(app.db)]).toEqual([[], []])
})

test('a photo is not removed when the job that deletes its file cannot be stored', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  await setPhotoKey(app.db, 'photos/ann.png')
  await hideJobs(app.db)
  const visit = await browser.send('DELETE', '/settings/profile/photo')
  await showJobs(app.db)
  expect(visit.status).toBe(500)
  expect((await allUsers(app.db))[0]?.photo).toBe('photos/ann.png')
})

test('an account is deleted in the transaction that queues the job to delete its photo', async () => {
  const { app, login } = await appWithAnn()
  await setPhotoKey(app.db, 'photos/ann.png')
  const userCounts: number[] = []
  const looking = beforeNextTransaction(
    app,
    async () => void userCounts.push((await allUsers(app.db)).length),
  )
  const proof = { password: ann.password, credential: undefined, challenges: [] }
  await deleteAccount(looking, login, { ...proof, address: '192.0.2.1' })
  expect(await allUsers(app.db)).toEqual([])
  expect(new Set(userCounts)).toEqual(new Set([1]))
  expect(await payloads(app)).toContain('{"key":"photos/ann.png"}')
})

test('a new photo is stored in the transaction that queues the job to delete the old one', async () => {
  const { app, login } = await appWithAnn()
  await setPhotoKey(app.db, 'photos/old.png')
  const photos: (string | null | undefined)[] = []
  const looking = beforeNextTransaction(
    app,
    async () => void photos.push((await allUsers(app.db))[0]?.photo),
  )
  await savePhoto(looking, login, judged(png()))
  expect((await allUsers(app.db))[0]?.photo).not.toBe('photos/old.png')
  expect(new Set(photos)).toEqual(new Set(['photos/old.png']))
  expect(await payloads(app)).toContain('{"key":"photos/old.png"}')
})

test('a reset whose notification cannot be stored keeps the passkeys and tokens', async () => {
  const { app, user } = await appWithAnn()
  await addPasskeysAndTokens(app.db, app.now())
  const before = await countPasskeysAndTokens(app.db)
  await refuseNotifications(app.db)
  const token = tokenIn(resetLink(app, user).link)
  const form = { password: 'another word', password_confirmation: 'another word' }
  const visit = await app.browser().post('/reset-password', { token, email: ann.email, ...form })
  expect(visit.status).toBe(500)
  expect(await countPasskeysAndTokens(app.db)).toEqual(before)
})

test('others can write while the password of a registration or a reset is hashed', async () => {
  const { app, user } = await appWithAnn()
  const hashing = afterPasswordHash(app, () => verifyEmails(app.db, app.now()))
  const token = tokenIn(resetLink(app, user).link)
  const fields = { email: ann.email, token, password: 'another word' }
  const reset = await resetPassword(hashing, fields, browserFacts())
  const made = await register(hashing, { ...ann, email: 'bob@x.test' }, browserFacts())
  expect([reset.result, made.result]).toEqual(['set', 'made'])
})

async function payloads(app: App): Promise<readonly string[]> {
  return (await allJobs(app.db)).map(({ payload }) => payload)
}
