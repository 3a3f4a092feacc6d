import { expect, test } from 'vitest'
import { users } from '#db/users'
import { addUser, ann } from '../testing/database/user-rows.ts'
import { emailKey } from '../base/email.ts'
import { later, noon, temporaryDatabase } from '../testing/database/database.ts'
import { addPasskeysAndTokens, allUsers, deleteUsers } from '../testing/database/rows.ts'

test('a new account has the values it is created with, and defaults for everything else', async () => {
  const { db } = await temporaryDatabase()
  expect(await addUser(db)).toEqual({
    id: 1,
    name: 'Ann',
    email: 'Ann@example.com',
    emailKey: 'ann@example.com',
    emailVerifiedAt: null,
    passwordHash: 'a hash',
    passwordChanges: 0,
    twoFactorSecret: null,
    recoveryCodes: null,
    recoveryCodesSavedAt: null,
    twoFactorStep: 0,
    photo: null,
    passkeyHandle: null,
    language: null,
    lastLanguage: null,
    createdAt: noon,
  })
})

test('only one of twenty simultaneous registrations of one email creates an account', async () => {
  const { db } = await temporaryDatabase()
  const tries = Array.from({ length: 20 }, () => db.transaction((tx) => users.insert(tx, ann)))
  const made = (await Promise.all(tries)).filter((user) => user !== undefined)
  expect(made).toHaveLength(1)
  expect(await allUsers(db)).toHaveLength(1)
})

test('an account is found by its ID and by its email key', async () => {
  const { db } = await temporaryDatabase()
  const user = await addUser(db)
  expect(await users.byId(db, user.id)).toEqual(user)
  expect(await users.byId(db, 99)).toBeUndefined()
  expect(await users.byEmailKey(db, 'ann@example.com')).toEqual(user)
  expect(await users.byEmailKey(db, 'Ann@example.com')).toBeUndefined()
  expect(await users.isTaken(db, ann.emailKey)).toBe(true)
  expect(await users.isTaken(db, bob.emailKey)).toBe(false)
})

test.each([
  ['full-width', 'ａnn'],
  ['raised', 'ᵃnn'],
  ['in a circle', 'ⓐnn'],
  ['with a mark that shows nothing', 'ann\ufe0f'],
  ['of another script', 'аnn'],
  ['with a dot that its lower case has not in all databases', 'İnn', 'inn'],
  ['whose lower case is longer', 'Ⱥnn', 'Ⱦnn'],
  ['a digit of another script', 'ann١', 'ann1'],
])(
  'an email that only looks like another is a different email: %s',
  async (_, alike, plain = 'ann') => {
    const { db } = await temporaryDatabase()
    const keys = [plain, alike].map((local) => emailKey(`${local}@example.com`))
    for (const key of keys)
      expect(await addUser(db, { ...ann, email: key, emailKey: key })).toMatchObject({ email: key })
    expect(await users.isTaken(db, emailKey(`x${alike}@example.com`))).toBe(false)
  },
)

test('a rehash replaces only the hash it was made from', async () => {
  const { db } = await temporaryDatabase()
  const { id } = await addUser(db)
  const rehash = (from: string, to: string) =>
    db.transaction((tx) => users.rehash(tx, { id, from, to }))
  expect(await rehash('another hash', 'x')).toBe(false)
  expect(await rehash('a hash', 'a better hash')).toBe(true)
  expect(await users.byId(db, id)).toMatchObject({
    passwordHash: 'a better hash',
    passwordChanges: 0,
  })
})

test('an email is verified once, and only while it is the account’s email', async () => {
  const { db } = await temporaryDatabase()
  const { id, email } = await addUser(db)
  const verify = (email: string, at: Date) =>
    db.transaction((tx) => users.verify(tx, { id, email, at }))
  expect(await verify('old@example.com', noon)).toBe(false)
  expect((await users.byId(db, id))?.emailVerifiedAt).toBeNull()
  expect([await verify(email, noon), await verify(email, later(1000))]).toEqual([true, false])
  expect((await users.byId(db, id))?.emailVerifiedAt).toEqual(noon)
})

test('a reset changes the password only of the account as it was looked up', async () => {
  const { db } = await temporaryDatabase()
  const { id, emailKey } = await addUser(db)
  const right = { id, emailKey, from: 'a hash', changes: 0, to: 'a new hash', at: noon }
  const reset = (change: object) => db.transaction((tx) => users.reset(tx, { ...right, ...change }))
  const refused = [
    await reset({ emailKey: 'old@example.com' }),
    await reset({ from: 'another hash' }),
    await reset({ changes: 1 }),
  ]
  const first = await reset({})
  const second = await reset({ from: 'a new hash', changes: 1, at: later(1000) })
  expect(refused).toEqual([undefined, undefined, undefined])
  expect(first).toMatchObject({ passwordHash: 'a new hash', passwordChanges: 1 })
  expect([first?.emailVerifiedAt, second?.emailVerifiedAt]).toEqual([noon, noon])
})

test('the ID of a deleted account is not used again', async () => {
  const { db } = await temporaryDatabase()
  const { id } = await addUser(db)
  await deleteUsers(db)
  expect((await addUser(db)).id).toBeGreaterThan(id)
})

const bob = { ...ann, name: 'Bob', email: 'bob@example.com', emailKey: 'bob@example.com' }

test('a profile is stored unless another account has its email, and a new email is unverified', async () => {
  const { db } = await temporaryDatabase()
  const { id, email } = await addUser(db)
  await addUser(db, bob)
  await db.transaction((tx) => users.verify(tx, { id, email, at: noon }))
  const update = (profile: object) =>
    db.transaction((tx) =>
      users.updateProfile(tx, { id, name: 'A', email, emailKey: email, ...profile }),
    )
  const respelled = await update({ email: 'ANN@example.com', emailKey: 'ann@example.com' })
  const taken = await update({ email: 'BOB@example.com', emailKey: 'bob@example.com' })
  const gone = await update({ id: 99 })
  const other = await update({ email: 'a@example.com', emailKey: 'a@example.com' })
  expect(respelled).toMatchObject({ name: 'A', email: 'ANN@example.com', emailVerifiedAt: noon })
  expect([taken, gone]).toEqual([undefined, undefined])
  expect(other).toMatchObject({ email: 'a@example.com', emailKey: 'a@example.com' })
  expect([other?.emailVerifiedAt, await users.byId(db, id)]).toEqual([null, other])
})

test('only one of twenty simultaneous password changes succeeds, and it is counted', async () => {
  const { db } = await temporaryDatabase()
  const { id } = await addUser(db)
  const tries = Array.from({ length: 20 }, (_, i) =>
    db.transaction((tx) => users.setPassword(tx, { id, from: 'a hash', to: `hash ${i}` })),
  )
  const set = (await Promise.all(tries)).filter((user) => user !== undefined)
  expect(set).toMatchObject([{ passwordChanges: 1 }])
  expect(await users.byId(db, id)).toEqual(set[0])
})

test('a password is removed only if it is unchanged and the account has a passkey of its own', async () => {
  const { db } = await temporaryDatabase()
  const { id } = await addUser(db)
  const remove = (from = 'a hash') => db.transaction((tx) => users.removePassword(tx, { id, from }))
  const without = await remove()
  await addPasskeysAndTokens(db, noon)
  const another = await remove('another hash')
  const removed = await remove()
  expect([without, another]).toEqual([undefined, undefined])
  expect(removed).toMatchObject({ passwordHash: '', passwordChanges: 1 })
})

test('an account is deleted only if its password is unchanged', async () => {
  const { db } = await temporaryDatabase()
  const user = await addUser(db)
  const remove = (from: string) => db.transaction((tx) => users.delete(tx, { id: user.id, from }))
  const another = await remove('another hash')
  const gone = await remove('a hash')
  const second = await remove('a hash')
  expect([another, gone, second]).toEqual([undefined, user, undefined])
})
