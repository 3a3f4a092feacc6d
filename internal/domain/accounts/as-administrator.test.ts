import { expect, test } from 'vitest'
import { users } from '#db/users'
import { ann, registeredBrowser } from '../../testing/people.ts'
import { setEmailOf, turnOnTwoFactor } from '../../testing/database/rows.ts'
import { testApp } from '../../testing/test-app.ts'
import { turnOffFor } from '../two-factor/turn-off.ts'
import { asAdministrator } from './as-administrator.ts'

test('an administrator’s change waits for an email change under way, and is mailed to the new email', async () => {
  const app = await testApp({ workers: true })
  await registeredBrowser(app, ann)
  await turnOnTwoFactor(app.db)
  const isChanged = Promise.withResolvers<void>()
  const isOver = Promise.withResolvers<void>()
  const changing = app.db.transaction(async (tx) => {
    await users.hold(tx, 1)
    await setEmailOf(tx, 1, 'new@x.test')
    isChanged.resolve()
    await isOver.promise
  })
  await isChanged.promise
  const turned = asAdministrator(app, 1, (tx, user) => turnOffFor(app, tx, user))
  // Gives the administrator every chance to overtake the change.
  for (let times = 0; times < 50; times++) await app.db.ping()
  isOver.resolve()
  await changing
  expect(await turned).toBe(true)
  expect((await app.outbox.nextTo('new@x.test')).subject).toContain('off')
})
