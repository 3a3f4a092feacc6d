import { expect, onTestFinished, test } from 'vitest'
import { cache } from '#db/cache'
import { openDatabase } from '#db/driver'
import { logins } from '#db/logins'
import { passkeys } from '#db/passkeys'
import { jobs } from '#db/jobs'
import { sessions } from '#db/sessions'
import { throttles } from '#db/throttles'
import { twoFactor } from './two-factor.ts'
import { users } from '#db/users'
import { addUser, ann, keyOf, loginOf } from '../testing/database/user-rows.ts'
import { later, noon, temporaryDatabase } from '../testing/database/database.ts'
import { newPasskey } from '../testing/database/passkey-rows.ts'
import type { Database, Tx } from './db.ts'

/** Opens one database twice, with a user in it. */
async function openedTwice(user = ann) {
  const { db, address } = await temporaryDatabase()
  const other = await openDatabase(address)
  onTestFinished(() => other.close())
  const { id } = await addUser(db, user)
  return { db, other, id }
}

/** Runs `work` in both at once: each first locks the user's row, like every change of an account. */
function atOnce<Result>(
  { db, other, id }: { db: Database; other: Database; id: number },
  ...works: ((tx: Tx) => Promise<Result>)[]
): Promise<Result[]> {
  const opened = [db, other]
  return Promise.all(
    works.map((work, at) =>
      (opened[at % 2] ?? db).transaction(async (tx) => {
        await users.hold(tx, id)
        return work(tx)
      }),
    ),
  )
}

test('a row locked by one transaction is not changed by another until the first ends', async () => {
  const { db, other, id } = await openedTwice()
  const order: string[] = []
  const isHeld = Promise.withResolvers<void>()
  const first = db.transaction(async (tx) => {
    await users.hold(tx, id)
    isHeld.resolve()
    // The other is requested meanwhile, and has every chance to go first.
    await other.ping()
    await users.setPhoto(tx, { id, photo: 'first' })
    order.push('first')
  })
  await isHeld.promise
  const second = other.transaction(async (tx) => {
    const user = await users.hold(tx, id)
    order.push(`second after ${user?.photo}`)
    await users.setPhoto(tx, { id, photo: 'second' })
  })
  await Promise.all([first, second])
  expect(order).toEqual(['first', 'second after first'])
  expect(await users.byId(db, id)).toMatchObject({ photo: 'second' })
})

test('a transaction’s changes are invisible to others until it commits', async () => {
  const { db, other, id } = await openedTwice()
  await db.transaction(async (tx) => {
    await users.setPhoto(tx, { id, photo: 'new' })
    expect(await users.byId(tx, id)).toMatchObject({ photo: 'new' })
    expect(await users.byId(other, id)).toMatchObject({ photo: null })
  })
  expect(await users.byId(other, id)).toMatchObject({ photo: 'new' })
})

test('a failed transaction leaves no change, not even of statements it did not await', async () => {
  const { db, other, id } = await openedTwice()
  const changes = (tx: Tx) => [
    users.setPhoto(tx, { id, photo: 'new' }),
    users.setLanguage(tx, { id, language: 'de' }),
  ]
  for (const isBegun of [false, true]) {
    const failed = db.transaction(async (tx) => {
      if (isBegun) await users.hold(tx, id)
      void Promise.allSettled(changes(tx))
      throw new Error('no')
    })
    await expect(failed).rejects.toThrow('no')
    expect(await users.byId(db, id)).toMatchObject({ photo: null, language: null })
    expect(await users.byId(other, id)).toMatchObject({ photo: null, language: null })
  }
})

test('when two tenth passkeys are added at once, only one is stored', async () => {
  const opened = await openedTwice()
  const { db, id } = opened
  const add = (name: string) => (tx: Tx) =>
    passkeys.insert(tx, { ...newPasskey(id, name), most: 10 })
  await db.transaction(async (tx) => {
    for (let n = 1; n < 10; n++) await add(`passkey ${n}`)(tx)
  })
  const kept = await atOnce(opened, add('one'), add('other'))
  expect(kept.filter((passkey) => passkey !== undefined)).toHaveLength(1)
  expect(await passkeys.ofUser(db, id)).toHaveLength(10)
})

test('when the password and the last passkey are removed at once, only one removal succeeds', async () => {
  const opened = await openedTwice()
  const { db, id } = opened
  const passkey = await db.transaction((tx) => passkeys.insert(tx, { ...newPasskey(id), most: 10 }))
  const removed = await atOnce(
    opened,
    async (tx) => (await users.removePassword(tx, { id, from: ann.passwordHash })) !== undefined,
    (tx) => passkeys.delete(tx, { userId: id, id: passkey?.id ?? 0 }),
  )
  expect(removed.filter(Boolean)).toHaveLength(1)
})

test('when the photo is replaced twice at once, each change returns the photo it replaced', async () => {
  const opened = await openedTwice()
  const { db, id } = opened
  const swap = (photo: string) => async (tx: Tx) => {
    const before = (await users.hold(tx, id))?.photo ?? 'none'
    await users.setPhoto(tx, { id, photo })
    return before
  }
  const before = await atOnce(opened, swap('one'), swap('other'))
  const { photo } = (await users.byId(db, id)) ?? {}
  expect([...before, photo].toSorted((a = '', b = '') => ((a ?? '') < (b ?? '') ? -1 : 1))).toEqual(
    ['none', 'one', 'other'],
  )
})

test('a login that a transaction has checked is not deleted until that transaction commits', async () => {
  const { db, other, id } = await openedTwice()
  const user = await users.byId(db, id)
  if (!user) throw new Error('The user is gone.')
  await db.transaction((tx) => logins.insert(tx, loginOf(user, 'a login')))
  const isLooked = Promise.withResolvers<void>()
  const changed = db.transaction(async (tx) => {
    await users.hold(tx, id)
    const stands = await logins.visit(tx, keyOf('a login'), { now: noon, mostUnread: 1 })
    isLooked.resolve()
    await other.ping()
    await users.setPhoto(tx, { id, photo: stands ? 'changed' : null })
  })
  await isLooked.promise
  const photo = await other.transaction(async (tx) => {
    const { photo } = (await users.hold(tx, id)) ?? {}
    await logins.deleteOfUser(tx, id)
    return photo
  })
  await changed
  expect(photo).toBe('changed')
})

test('data that several transactions add to one session at once is all stored', async () => {
  const opened = await openedTwice()
  const { db, id } = opened
  const key = keyOf('a session')
  const endsAt = later(1000)
  await db.transaction((tx) => sessions.insert(tx, { key, userId: id, payload: '', endsAt }))
  const add = (text: string) => async (tx: Tx) => {
    const found = await sessions.hold(tx, { key, now: noon })
    await sessions.update(tx, { key, payload: `${found?.payload ?? ''}${text}`, endsAt })
  }
  await atOnce(opened, add('a'), add('b'), add('c'), add('d'))
  const { payload = '' } = (await sessions.find(db, { key, now: noon })) ?? {}
  expect(new Set(payload)).toEqual(new Set('abcd'))
})

/** Does one thing in both at once, many times, like requests that lock nothing first. */
function inBoth<Result>(
  { db, other }: { db: Database; other: Database },
  work: (tx: Tx) => Promise<Result>,
): Promise<Result[]> {
  const transactions = Array.from({ length: 10 }, (_, n) =>
    (n % 2 === 0 ? db : other).transaction(work),
  )
  return Promise.all(transactions)
}

test('only one of ten simultaneous registrations of one email creates an account', async () => {
  const opened = await openedTwice()
  const bob = { ...ann, email: 'bob@x.test', emailKey: 'bob@x.test' }
  const made = await inBoth(opened, (tx) => users.insert(tx, bob))
  expect(made.filter((user) => user !== undefined)).toHaveLength(1)
})

test('when two accounts change to one email at once, one gets it, and the other’s transaction continues', async () => {
  const opened = await openedTwice()
  const { db, other, id } = opened
  const bob = await addUser(db, { ...ann, email: 'bob@x.test', emailKey: 'bob@x.test' })
  const taken = { name: 'Taken', email: 'new@x.test', emailKey: 'new@x.test' }
  const take = (of: Database, id: number) =>
    of.transaction(async (tx) => {
      await users.hold(tx, id)
      const user = await users.updateProfile(tx, { ...taken, id })
      await users.setLanguage(tx, { id, language: 'de' })
      return user
    })
  const both = await Promise.all([take(db, id), take(other, bob.id)])
  expect(both.filter((user) => user !== undefined)).toMatchObject([taken])
  const languages = [await users.byId(db, id), await users.byId(db, bob.id)].map(
    (user) => user?.language,
  )
  expect(languages).toEqual(['de', 'de'])
})

test('when an account changes to an email that somebody registers with, only one of them gets it', async () => {
  const { db, other, id } = await openedTwice()
  const taken = { name: 'Taken', email: 'new@x.test', emailKey: 'new@x.test' }
  const [made, moved] = await Promise.all([
    db.transaction((tx) => users.insert(tx, { ...ann, ...taken })),
    other.transaction((tx) => users.updateProfile(tx, { ...taken, id })),
  ])
  expect([made, moved].filter((user) => user !== undefined)).toHaveLength(1)
})

test('a code, a recovery code and a challenge are each accepted once under simultaneous attempts', async () => {
  const opened = await openedTwice()
  const { db, id } = opened
  const factor = { id, secret: 'sealed', codes: 'eight', step: 1 }
  await db.transaction((tx) => twoFactor.turnOn(tx, factor))
  await cache.put(db, { key: 'a challenge', value: 'x', endsAt: later(1000) })
  const accepted = await inBoth(opened, (tx) =>
    twoFactor.acceptStep(tx, { id, secret: 'sealed', step: 2 }),
  )
  const replaced = await inBoth(opened, (tx) =>
    twoFactor.replaceCodes(tx, { id, from: 'eight', to: 'seven' }),
  )
  const answered = await inBoth(opened, (tx) => cache.take(tx, { key: 'a challenge', now: noon }))
  const used = [accepted, replaced, answered].map((tries) => tries.filter(Boolean).length)
  expect(used).toEqual([1, 1, 1])
})

test('under simultaneous attempts each throttle try is counted, and each job is claimed once', async () => {
  const opened = await openedTwice()
  const { db } = opened
  const take = { key: keyOf('a throttle'), now: noon, endsAt: later(1000) }
  const tries = await inBoth(opened, (tx) => throttles.take(tx, take))
  await db.transaction(async (tx) => {
    for (let n = 0; n < 4; n++) await jobs.insert(tx, { name: 'a', payload: '{}', at: noon })
  })
  const claim = { name: 'a', by: 'me', now: noon, beyond: later(1000) }
  const claimed = await inBoth(opened, (tx) => jobs.claim(tx, claim))
  const ids = claimed.flatMap((job) => job?.id ?? [])
  expect(tries.map(({ tries }) => tries).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 10 }, (_, n) => n + 1),
  )
  expect([ids.length, new Set(ids).size]).toEqual([4, 4])
})
