import { expect, onTestFinished, test } from 'vitest'
import { browsers } from '#db/browsers'
import { openDatabase } from '#db/driver'
import { logins } from '#db/logins'
import { notifications } from '#db/notifications'
import { addUser, ann, keyOf, loginOf } from '../testing/database/user-rows.ts'
import { later, noon, temporaryDatabase } from '../testing/database/database.ts'
import { allBrowsers, allLogins, allNotifications } from '../testing/database/rows.ts'

// Seconds after noon, for an account that has too many; the last was written by a clock that was ahead.
const times = [3, 1, 2, 0, 3600]
const now = later(10_000)

async function filled() {
  const { db, address } = await temporaryDatabase()
  const [user, other] = [
    await addUser(db),
    await addUser(db, { ...ann, email: 'b@x.test', emailKey: 'b@x.test' }),
  ]
  await db.transaction(async (tx) => {
    for (const second of times) {
      const at = later(second * 1000)
      await logins.insert(tx, { ...loginOf(user, String(second)), at })
      await browsers.recordLogin(tx, { userId: user.id, hash: keyOf(String(second)), at })
      await notifications.insert(tx, { userId: user.id, kind: String(second), data: '{}', at })
    }
    await logins.insert(tx, { ...loginOf(other, 'other'), at: noon })
    await browsers.recordLogin(tx, { userId: other.id, hash: keyOf('other'), at: noon })
    await notifications.insert(tx, { userId: other.id, kind: 'other', data: '{}', at: noon })
  })
  return { db, address, userId: user.id }
}

test('only the most recently seen logins of an account are kept, and other accounts’ logins stay', async () => {
  const { db, userId } = await filled()
  await logins.keepNewest(db, { userId, now, most: 2 })
  const kept = (await allLogins(db)).map(({ key }) => key.toString('hex'))
  expect(new Set(kept)).toEqual(new Set(['3', '2', '3600', 'other'].map(hexOf)))
})

test('only the browsers an account last logged in from are kept, and other accounts’ browsers stay', async () => {
  const { db, userId } = await filled()
  await browsers.keepNewest(db, { userId, now, most: 2 })
  const kept = (await allBrowsers(db)).map(({ hash }) => hash.toString('hex'))
  expect(new Set(kept)).toEqual(new Set(['3', '2', '3600', 'other'].map(hexOf)))
})

test('a login or browser that is seen while the deletion waits for its row is kept', async () => {
  const { db, address, userId } = await filled()
  const other = await openDatabase(address)
  onTestFinished(() => other.close())
  const [key, at] = [keyOf('0'), later(11_000)]
  let tidied: Promise<unknown> | undefined
  await db.transaction(async (tx) => {
    await logins.markSeen(tx, { key, now: at, endsAt: later(7_200_000), before: at })
    await browsers.recordLogin(tx, { userId, hash: key, at })
    tidied = Promise.all([
      logins.keepNewest(other, { userId, now, most: 2 }),
      browsers.keepNewest(other, { userId, now, most: 2 }),
    ])
    // They are requested meanwhile, and have every chance to wait.
    for (let times = 0; times < 20; times++) await other.ping()
  })
  await tidied
  expect((await allLogins(db)).map((row) => row.key.toString('hex'))).toContain(hexOf('0'))
  expect((await allBrowsers(db)).map(({ hash }) => hash.toString('hex'))).toContain(hexOf('0'))
})

test('only the newest notifications of an account are kept, and other accounts’ notifications stay', async () => {
  const { db, userId } = await filled()
  await notifications.keepNewest(db, { userId, most: 2 })
  const kept = (await allNotifications(db)).map(({ kind }) => kind)
  expect(new Set(kept)).toEqual(new Set(['0', '3600', 'other']))
})

function hexOf(text: string): string {
  return keyOf(text).toString('hex')
}
