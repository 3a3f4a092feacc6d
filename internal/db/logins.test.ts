import { expect, test } from 'vitest'
import { logins } from '#db/logins'
import { passkeys } from '#db/passkeys'
import type { Db } from './db.ts'
import { addUser, ann, keyOf, loginOf } from '../testing/database/user-rows.ts'
import { later, noon, temporaryDatabase } from '../testing/database/database.ts'
import { newPasskey } from '../testing/database/passkey-rows.ts'
import { addNotification, addNotifications } from '../testing/database/notification-rows.ts'
import { allLogins, deleteUsers } from '../testing/database/rows.ts'

const minute = 60_000
const end = 120 * minute

async function loggedIn() {
  const { db } = await temporaryDatabase()
  const user = await addUser(db)
  await db.transaction((tx) => logins.insert(tx, loginOf(user, 'this browser')))
  return { db, user, key: keyOf('this browser') }
}

const visit = (db: Db, key: Uint8Array, now: Date) => logins.visit(db, key, { now, mostUnread: 4 })

test('a visit returns the user, remember, last-seen, the passkey count and the unread notification count', async () => {
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

test('a visit counts unread notifications only up to the requested maximum', async () => {
  const { db, user, key } = await loggedIn()
  const unread = async () => (await visit(db, key, noon))?.unread
  await addNotifications(db, { userId: user.id, count: 3, at: noon })
  expect(await unread()).toBe(3)
  await addNotifications(db, { userId: user.id, count: 2, at: noon })
  expect(await unread()).toBe(4)
})

test('a visit finds no ended login and no login under another key', async () => {
  const { db, key } = await loggedIn()
  expect(await visit(db, key, later(end - 1))).toBeDefined()
  expect(await visit(db, key, later(end))).toBeUndefined()
  expect(await visit(db, keyOf('another'), noon)).toBeUndefined()
})

test('marking a login as seen moves its end, at most once a minute', async () => {
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

test('a login that has ended cannot be marked as seen', async () => {
  const { db, key } = await loggedIn()
  await logins.markSeen(db, { key, now: later(end), endsAt: later(2 * end), before: noon })
  expect(await visit(db, key, later(end))).toBeUndefined()
})

test('deleting a login leaves the user’s other logins', async () => {
  const { db, user, key } = await loggedIn()
  await db.transaction((tx) => logins.insert(tx, loginOf(user, 'other browser')))
  await logins.delete(db, key)
  expect(await visit(db, key, noon)).toBeUndefined()
  expect(await visit(db, keyOf('other browser'), noon)).toBeDefined()
})

test('deleting all logins of a user leaves the logins of other users', async () => {
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

test('deleting a user deletes their logins, and no login can be added for them afterwards', async () => {
  const { db, user } = await loggedIn()
  await deleteUsers(db)
  expect(await allLogins(db)).toEqual([])
  await expect(
    db.transaction((tx) => logins.insert(tx, loginOf(user, 'late browser'))),
  ).rejects.toThrow(/foreign key/i)
})

test('a user’s logins are listed with the requested one first, then newest first, up to a maximum', async () => {
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
