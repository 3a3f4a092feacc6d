import { expect, test } from 'vitest'
import { logins } from '#db/logins'
import { passkeys } from '#db/passkeys'
import type { Db } from './db.ts'
import { addUser, ann, keyOf, loginOf } from '../testing/database/user-rows.ts'
import { later, noon, temporaryDatabase } from '../testing/database/database.ts'
import { newPasskey } from '../testing/database/passkey-rows.ts'
import {
  addNotification,
  addNotifications,
  allLogins,
  loseUsers,
} from '../testing/database/rows.ts'

const minute = 60_000
const end = 120 * minute

async function loggedIn() {
  const { db } = await temporaryDatabase()
  const user = await addUser(db)
  await db.transaction((tx) => logins.insert(tx, loginOf(user, 'this browser')))
  return { db, user, key: keyOf('this browser') }
}

const visit = (db: Db, key: Uint8Array, now: Date) => logins.visit(db, key, { now, mostUnread: 4 })

test('a visit finds the user of the login, what is needed of that, how many passkeys there are and how many notifications are unread', async () => {
  const { db, user, key } = await loggedIn()
  const notify = (readAt: Date | null) =>
    addNotification(db, { userId: user.id, kind: 'new-login', at: noon, readAt })
  await Promise.all([notify(null), notify(null), notify(noon)])
  await db.transaction((tx) => passkeys.insert(tx, { ...newPasskey(user.id), most: 10 }))
  const { at, remember } = loginOf(user, 'this browser')
  expect(await visit(db, key, noon)).toEqual({
    ...user,
    remember,
    lastSeenAt: at,
    passkeys: 1,
    unread: 2,
  })
})

test('a visit counts what is unread no further than is asked', async () => {
  const { db, user, key } = await loggedIn()
  const unread = async () => (await visit(db, key, noon))?.unread
  await addNotifications(db, { userId: user.id, count: 3, at: noon })
  expect(await unread()).toBe(3)
  await addNotifications(db, { userId: user.id, count: 2, at: noon })
  expect(await unread()).toBe(4)
})

test('a visit finds no login that has ended, and none of another key', async () => {
  const { db, key } = await loggedIn()
  expect(await visit(db, key, later(end - 1))).toBeDefined()
  expect(await visit(db, key, later(end))).toBeUndefined()
  expect(await visit(db, keyOf('another'), noon)).toBeUndefined()
})

test('last seen moves the end, at most once a minute', async () => {
  const { db, key } = await loggedIn()
  const markSeen = (at: number) =>
    logins.markSeen(db, {
      key,
      now: later(at),
      endsAt: later(at + end),
      before: later(at - minute),
    })
  await markSeen(minute - 1)
  expect(await allLogins(db)).toMatchObject([{ lastSeenAt: noon, endsAt: later(end) }])
  await markSeen(minute)
  const moved = { lastSeenAt: later(minute), endsAt: later(minute + end) }
  expect(await allLogins(db)).toMatchObject([moved])
})

test('a login that has ended is not seen again', async () => {
  const { db, key } = await loggedIn()
  await logins.markSeen(db, { key, now: later(end), endsAt: later(2 * end), before: noon })
  expect(await visit(db, key, later(end))).toBeUndefined()
})

test('a deleted login is gone, and others stay', async () => {
  const { db, user, key } = await loggedIn()
  await db.transaction((tx) => logins.insert(tx, loginOf(user, 'other browser')))
  await logins.delete(db, key)
  expect(await visit(db, key, noon)).toBeUndefined()
  expect(await visit(db, keyOf('other browser'), noon)).toBeDefined()
})

test("every login of a user goes at once, and other users' stay", async () => {
  const { db, user, key } = await loggedIn()
  const bob = await addUser(db, {
    ...ann,
    name: 'Bob',
    email: 'bob@example.com',
    emailKey: 'bob@example.com',
  })
  await db.transaction(async (tx) => {
    await logins.insert(tx, loginOf(user, 'other browser'))
    await logins.insert(tx, loginOf(bob, "bob's browser"))
    await logins.deleteOfUser(tx, user.id)
  })
  expect(await visit(db, key, noon)).toBeUndefined()
  expect(await visit(db, keyOf('other browser'), noon)).toBeUndefined()
  expect(await visit(db, keyOf("bob's browser"), noon)).toMatchObject({ name: 'Bob' })
})

test('there is no login of a user who is gone', async () => {
  const { db, user } = await loggedIn()
  await loseUsers(db)
  expect(await allLogins(db)).toEqual([])
  await expect(
    db.transaction((tx) => logins.insert(tx, loginOf(user, 'late browser'))),
  ).rejects.toThrow(/foreign key/i)
})

test('the logins of a user come with one of them first and no more than asked for', async () => {
  const { db } = await temporaryDatabase()
  const user = await addUser(db)
  const ids = ['first', 'second', 'third', 'fourth']
  await db.transaction(async (tx) => {
    for (const [i, id] of ids.entries())
      await logins.insert(tx, { ...loginOf(user, id), at: later(i * 1000) })
  })
  const query = { userId: user.id, now: noon, first: keyOf('first'), most: 3 }
  const found = await logins.ofUser(db, query)
  expect(found.map(({ key }) => key)).toEqual(['first', 'fourth', 'third'].map(keyOf))
})
