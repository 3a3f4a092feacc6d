import { expect, test } from 'vitest'
import { linkIn } from '../../testing/mails.ts'
import { beforeNextTransaction } from '../../testing/app-hooks.ts'
import { ann, registeredBrowser } from '../../testing/people.ts'
import { allBroadcasts } from '../../testing/database/broadcast-rows.ts'
import { allUsers, setEmailOf } from '../../testing/database/rows.ts'
import { testApp, type TestApp } from '../../testing/test-app.ts'
import { verifyEmail } from './verify.ts'

/** Returns an app with Ann registered, and the link that was mailed to her. */
async function withAnn(): Promise<{ app: TestApp; link: { id: number; token: string } }> {
  const app = await testApp({ workers: true })
  await registeredBrowser(app, ann)
  const [, token = ''] = /^\/verify-email\/1\/(.+)$/.exec(linkIn(await app.outbox.next())) ?? []
  return { app, link: { id: 1, token } }
}

test('a verification link followed twice at once works both times and publishes one event', async () => {
  const { app, link } = await withAnn()
  const meanwhile = beforeNextTransaction(app, async () => {
    await verifyEmail(app, link)
  })
  expect(await verifyEmail(meanwhile, link)).toBe('was verified')
  expect(await allBroadcasts(app.db)).toEqual([{ channel: 'users.1', event: 'verified' }])
})

test('a verification link verifies nothing if the email changes while it is followed', async () => {
  const { app, link } = await withAnn()
  const meanwhile = beforeNextTransaction(app, () => setEmailOf(app.db, 1, 'ann.b@x.test'))
  expect(await verifyEmail(meanwhile, link)).toBe('over')
  expect([await allUsers(app.db), await allBroadcasts(app.db)]).toMatchObject([
    [{ emailVerifiedAt: null }],
    [],
  ])
})
