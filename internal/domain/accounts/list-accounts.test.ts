import { expect, test } from 'vitest'
import { ann, addUser, keyOf, loginOf } from '../../testing/database/user-rows.ts'
import { later, noon, temporaryDatabase } from '../../testing/database/database.ts'
import { addUsers } from '#testing/many-users'
import { addPasskeysAndTokens } from '../../testing/database/rows.ts'
import type { Db, Database } from '../../db/db.ts'
import { browsers } from '#db/browsers'
import { logins } from '#db/logins'
import { users } from '#db/users'
import { emailKey, foldCase } from '../../base/email.ts'
import { longestName } from '../../../web/contract/limits.ts'
import { listAccounts } from './list-accounts.ts'

async function listAll(db: Db, search?: string) {
  return (await Array.fromAsync(listAccounts(db, search))).flat()
}

async function add(db: Database, people: readonly (readonly [name: string, email: string])[]) {
  await db.transaction(async (tx) => {
    for (const [name, email] of people)
      await users.insert(tx, { ...ann, name, email, emailKey: emailKey(email) })
  })
}

const names = async (db: Db, search: string) => (await listAll(db, search)).map(({ name }) => name)

test('accounts are listed newest first, with password, passkeys and last-seen time', async () => {
  const { db } = await temporaryDatabase()
  const user = await addUser(db)
  await addPasskeysAndTokens(db, noon)
  await add(db, [['Bob', 'bob@x.test']])
  await db.transaction(async (tx) => {
    await logins.insert(tx, loginOf(user, 'one'))
    await logins.insert(tx, { ...loginOf(user, 'two'), at: later(5000) })
    await browsers.recordLogin(tx, { userId: user.id, hash: keyOf('a browser'), at: later(4000) })
  })
  const same = { emailVerifiedAt: null, createdAt: noon, twoFactor: false, password: true }
  expect(await listAll(db)).toEqual([
    { ...same, id: 2, name: 'Bob', email: 'bob@x.test', passkeys: 0, lastSeenAt: null },
    { ...same, id: 1, name: 'Ann', email: 'Ann@example.com', passkeys: 1, lastSeenAt: later(5000) },
  ])
})

test('a search reads some of the accounts at a time, and finds those of the first and of the last', async () => {
  const { db } = await temporaryDatabase()
  const many = {
    users: 20_100,
    hash: '',
    now: noon,
    endsAt: later(5000),
    browser: keyOf('a browser'),
  }
  await addUsers(db, many)
  const part = { after: 3, before: 6, like: '%', most: 9 }
  expect((await users.find(db, part)).map(({ id }) => id)).toEqual([5, 4])
  expect(await names(db, 'user1@')).toEqual(['User 1'])
  expect(await names(db, 'USER 20100')).toEqual(['User 20100'])
  expect(await names(db, 'nobody')).toEqual([])
  // On either side of where the second part begins.
  expect(await names(db, 'user100@')).toEqual(['User 100'])
  expect(await names(db, 'user101@')).toEqual(['User 101'])
})

test('a search matches the letters of name and email literally, ignoring case', async () => {
  const { db } = await temporaryDatabase()
  const decomposed = 'Rene\u0301'
  await add(db, [
    ['JÜRGEN', 'j@x.test'],
    [decomposed, 'r@x.test'],
    ['100% Ann_e!', 'Anne@X.test'],
    ['Bob', 'bob@ünder.test'],
  ])
  expect(await names(db, 'jürg')).toEqual(['JÜRGEN'])
  expect(await names(db, 'RENÉ')).toEqual([decomposed])
  expect(await names(db, 'anne@x')).toEqual(['100% Ann_e!'])
  expect(await names(db, 'Ünder')).toEqual(['Bob'])
  expect(await names(db, '0% a')).toEqual(['100% Ann_e!'])
  expect(await names(db, 'n_e!')).toEqual(['100% Ann_e!'])
  expect(await names(db, '%')).toEqual(['100% Ann_e!'])
  expect(await names(db, '_b')).toEqual([])
  expect(await names(db, '\\')).toEqual([])
})

test('a search finds a Turkish or Greek name by its beginning and its end, in any case', async () => {
  const { db } = await temporaryDatabase()
  await add(db, [
    ['İbrahim Yıldız', 'a@x.test'],
    ['ALİ VELİ', 'b@x.test'],
    ['ΣΊΣΥΦΟΣ', 'c@x.test'],
  ])
  expect(await names(db, 'İbrahim')).toEqual(['İbrahim Yıldız'])
  expect(await names(db, 'ALİ')).toEqual(['ALİ VELİ'])
  expect(await names(db, 'ALİ VELİ')).toEqual(['ALİ VELİ'])
  expect(await names(db, 'ΣΊΣ')).toEqual(['ΣΊΣΥΦΟΣ'])
  expect(await names(db, 'σίσυφος')).toEqual(['ΣΊΣΥΦΟΣ'])
})

test('a search finds each letter beyond ASCII that case folding turns into ASCII', async () => {
  const { db } = await temporaryDatabase()
  const beyondAscii = Array.from({ length: 0x10ff80 }, (_, i) => String.fromCodePoint(0x80 + i))
  const letters = beyondAscii.filter((letter) => /[ -~]/.test(foldCase(letter)))
  await add(
    db,
    letters.map((letter, i) => [`a${letter}b`, `${i}@x.test`] as const),
  )
  const found = await Promise.all(letters.map((letter) => names(db, foldCase(`A${letter}B`))))
  expect(letters).toContain('\u212a')
  expect(found).toEqual(letters.map((letter) => [`a${letter}b`]))
})

test('a search longer than any name or email finds nobody, and one in decomposed form finds its name', async () => {
  const { db } = await temporaryDatabase()
  const name = '\u0390'.repeat(longestName)
  await add(db, [[name, 'a@x.test']])
  expect(await names(db, 'a'.repeat(60_000))).toEqual([])
  expect(await names(db, '!'.repeat(60_000))).toEqual([])
  expect(await names(db, name.normalize('NFD'))).toEqual([name])
})

test('a list of 2,001 accounts has each account once', async () => {
  const { db } = await temporaryDatabase()
  const count = 2001
  await add(
    db,
    Array.from({ length: count }, (_, i) => ['Ann', `${i}@x.test`] as const),
  )
  const ids = (await listAll(db)).map(({ id }) => id)
  expect(ids).toEqual(Array.from({ length: count }, (_, i) => count - i))
})
