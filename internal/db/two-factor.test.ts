import { expect, test } from 'vitest'
import { throttles } from '#db/throttles'
import { twoFactor } from './two-factor.ts'
import { users } from '#db/users'
import type { Database } from './db.ts'
import { addUser, ann, keyOf } from '../testing/database/user-rows.ts'
import { later, noon, temporaryDatabase } from '../testing/database/database.ts'

const factor = { secret: 'a secret', codes: 'codes', step: 7 }
const off = { twoFactorSecret: null, recoveryCodes: null, twoFactorStep: 0 }
const on = { twoFactorSecret: 'a secret', recoveryCodes: 'codes', twoFactorStep: 7 }

function turnOn(db: Database, id: number, change = factor): Promise<boolean> {
  return db.transaction((tx) => twoFactor.turnOn(tx, { id, ...change }))
}

async function turnedOn() {
  const { db } = await temporaryDatabase()
  const { id } = await addUser(db)
  await turnOn(db, id)
  return { db, id }
}

test('two-factor login is turned on once, and stores the secret, the codes and the step of the code', async () => {
  const { db } = await temporaryDatabase()
  const { id } = await addUser(db)
  const first = await turnOn(db, id)
  const second = await turnOn(db, id, { secret: 'another', codes: 'others', step: 9 })
  expect([first, second]).toEqual([true, false])
  expect(await users.byId(db, id)).toMatchObject(on)
})

test('one of twenty simultaneous attempts turns on two-factor login, and its values are stored together', async () => {
  const { db } = await temporaryDatabase()
  const { id } = await addUser(db)
  const tries = Array.from({ length: 20 }, (_, step) =>
    turnOn(db, id, { secret: `secret ${step}`, codes: `codes ${step}`, step }),
  )
  const one = (await Promise.all(tries)).indexOf(true)
  expect((await Promise.all(tries)).filter((isOn) => isOn)).toHaveLength(1)
  expect(await users.byId(db, id)).toMatchObject({
    twoFactorSecret: `secret ${one}`,
    recoveryCodes: `codes ${one}`,
    twoFactorStep: one,
  })
})

test('turning off two-factor login clears its values of that user only, and a second attempt does nothing', async () => {
  const { db, id } = await turnedOn()
  const bob = await addUser(db, { ...ann, email: 'bob@example.com', emailKey: 'bob@example.com' })
  await turnOn(db, bob.id)
  const turnOff = () => db.transaction((tx) => twoFactor.turnOff(tx, id))
  expect([await turnOff(), await turnOff()]).toEqual([true, false])
  expect(await users.byId(db, id)).toMatchObject(off)
  expect(await users.byId(db, bob.id)).toMatchObject(on)
})

test('a step is accepted only if it is later than the last one and its secret is still the user’s', async () => {
  const { db, id } = await turnedOn()
  const accept = (step: number, secret = 'a secret') =>
    db.transaction((tx) => twoFactor.acceptStep(tx, { id, secret, step }))
  const tried = [
    await accept(6),
    await accept(7),
    await accept(8, 'an older secret'),
    await accept(8),
    await accept(8),
    await accept(10),
    await accept(9),
  ]
  expect(tried).toEqual([false, false, false, true, false, true, false])
})

test('no step is accepted while two-factor login is off', async () => {
  const { db } = await temporaryDatabase()
  const { id } = await addUser(db)
  const accepted = await db.transaction((tx) =>
    twoFactor.acceptStep(tx, { id, secret: '', step: 1 }),
  )
  expect(accepted).toBe(false)
  expect(await users.byId(db, id)).toMatchObject(off)
})

test('one of twenty simultaneous uses of a step is accepted', async () => {
  const { db, id } = await turnedOn()
  const tries = Array.from({ length: 20 }, () =>
    db.transaction((tx) => twoFactor.acceptStep(tx, { id, secret: 'a secret', step: 8 })),
  )
  expect((await Promise.all(tries)).filter((accepted) => accepted)).toHaveLength(1)
})

test('one of twenty simultaneous replacements of the same recovery codes succeeds', async () => {
  const { db, id } = await turnedOn()
  const tries = Array.from({ length: 20 }, (_, i) =>
    db.transaction((tx) => twoFactor.replaceCodes(tx, { id, from: 'codes', to: `codes ${i}` })),
  )
  const replaced = await Promise.all(tries)
  expect(replaced.filter((isReplaced) => isReplaced)).toHaveLength(1)
  const recoveryCodes = `codes ${replaced.indexOf(true)}`
  expect(await users.byId(db, id)).toMatchObject({ recoveryCodes, twoFactorSecret: 'a secret' })
})

test('giving back a try lowers the count of a running window, which is deleted at zero', async () => {
  const { db } = await temporaryDatabase()
  const [key, other] = [keyOf('codes of ann'), keyOf('codes of bob')]
  const take = (key: Uint8Array) => throttles.take(db, { key, now: noon, endsAt: later(1000) })
  const giveBack = (now: Date) => db.transaction((tx) => throttles.giveBack(tx, { key, now }))
  await take(key)
  await take(key)
  await take(other)
  await giveBack(later(1000))
  expect((await take(key)).tries).toBe(3)
  await giveBack(noon)
  expect([(await take(key)).tries, (await take(other)).tries]).toEqual([3, 2])
  for (let i = 0; i < 5; i++) await giveBack(noon)
  expect(await throttles.find(db, key)).toBeUndefined()
  expect(await take(key)).toEqual({ tries: 1, endsAt: later(1000) })
})

test('sealed values are listed in parts, only of users who have them', async () => {
  const { db } = await temporaryDatabase()
  const ids: number[] = []
  for (const name of ['a', 'b', 'c', 'd'])
    ids.push(
      (await addUser(db, { ...ann, email: `${name}@x.test`, emailKey: `${name}@x.test` })).id,
    )
  const [a = 0, , c = 0, d = 0] = ids
  for (const id of [a, c, d]) await turnOn(db, id)
  const first = await twoFactor.sealed(db, { after: 0, most: 2 })
  const second = await twoFactor.sealed(db, { after: c, most: 2 })
  const row = { secret: 'a secret', codes: 'codes' }
  expect(first).toEqual([
    { id: a, ...row },
    { id: c, ...row },
  ])
  expect(second).toEqual([{ id: d, ...row }])
  expect(await twoFactor.sealed(db, { after: d, most: 2 })).toEqual([])
})

test('a secret is resealed only if it is still the one that was read, and nothing else changes', async () => {
  const { db, id } = await turnedOn()
  const reseal = (from: string, to: string) =>
    db.transaction((tx) => twoFactor.resealSecret(tx, { id, from, to }))
  expect([await reseal('another', 'x'), await reseal('a secret', 'anew')]).toEqual([false, true])
  expect(await users.byId(db, id)).toMatchObject({ ...on, twoFactorSecret: 'anew' })
})
