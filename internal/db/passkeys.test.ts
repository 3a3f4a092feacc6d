import { expect, test } from 'vitest'
import { passkeys } from '#db/passkeys'
import { addUser } from '../testing/database/user-rows.ts'
import { noon, temporaryDatabase } from '../testing/database/database.ts'
import { addPasskeysAndTokens } from '../testing/database/rows.ts'

test('a passkey is accepted only with a higher signature count than its last, or 0 while that is 0', async () => {
  const { db } = await temporaryDatabase()
  const { id: userId } = await addUser(db)
  await addPasskeysAndTokens(db, noon)
  const [made] = await passkeys.ofUser(db, userId)
  const used: Record<string, boolean> = {}
  for (const [step, signCount] of [0, 0, 5, 5, 4, 0, 6].entries())
    used[`${step}: ${signCount}`] = await db.transaction((tx) =>
      passkeys.use(tx, { id: made?.id ?? 0, signCount, backedUp: false, at: noon }),
    )
  expect(used).toEqual({
    '0: 0': true,
    '1: 0': true,
    '2: 5': true,
    '3: 5': false,
    '4: 4': false,
    '5: 0': false,
    '6: 6': true,
  })
  expect(await passkeys.ofUser(db, userId)).toMatchObject([{ signCount: 6 }])
})
