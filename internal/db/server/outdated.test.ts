import { expect, onTestFinished, test } from 'vitest'
import { addresses } from '#db/address'
import { openDatabase } from '#db/driver'
import { users } from '#db/users'
import { addColumn } from '../../testing/database/added-columns.ts'
import { addUser, ann } from '../../testing/database/user-rows.ts'
import { temporaryDatabase } from '../../testing/database/database.ts'
import { allThrottles } from '../../testing/database/rows.ts'
import type { Database, Tx } from '../db.ts'

const isServer = addresses.setting === 'DB_URL'
const connections = 8

/** Runs the work on all connections at once: each waits until all of them are in use. */
function onEach<Result>(db: Database, work: (tx: Tx) => Promise<Result>): Promise<Result[]> {
  const { promise: allThere, resolve } = Promise.withResolvers<void>()
  let there = 0
  return Promise.all(
    Array.from({ length: connections }, () =>
      db.transaction(async (tx) => {
        await allThrottles(tx)
        if (++there >= connections) resolve()
        await allThere
        return work(tx)
      }),
    ),
  )
}

test.runIf(isServer)(
  'no transaction fails when an added column outdates the statements prepared on every connection',
  async () => {
    const { db, address } = await temporaryDatabase()
    const other = await openDatabase(address)
    onTestFinished(() => other.close())
    const { id } = await addUser(db)
    const one = (tx: Tx) => users.byId(tx, id)
    const atOnce = (tx: Tx) =>
      Promise.all([
        users.byEmailKey(tx, ann.emailKey),
        users.setLanguage(tx, { id, language: 'de' }),
        users.byId(tx, id),
        users.isTaken(tx, ann.emailKey),
      ])
    await onEach(db, one)
    await onEach(db, async (tx) => void (await users.byEmailKey(tx, ann.emailKey)))
    await addColumn(other, 'mascot')
    // Each single transaction gets one of the outdated connections, whichever is next.
    expect((await db.transaction(one))?.id).toBe(id)
    await addColumn(other, 'place')
    expect((await db.transaction(atOnce)).at(-1)).toBe(true)
    await addColumn(other, 'birthday')
    const read = await onEach(db, one)
    expect(read.map((user) => user?.id)).toEqual(Array.from({ length: connections }, () => id))
  },
)

test.runIf(isServer)(
  'a statement outdated by an added column is not run again once its transaction is rolled back',
  async () => {
    const { db, address } = await temporaryDatabase()
    const other = await openDatabase(address)
    onTestFinished(() => other.close())
    const { id } = await addUser(db)
    const change = (tx: Tx, from: string) => users.setPassword(tx, { id, from, to: 'another' })
    await db.transaction((tx) => change(tx, 'none'))
    await addColumn(other, 'mascot')
    const refused = db.transaction((tx) =>
      Promise.all([change(tx, ann.passwordHash), Promise.reject(new Error('no'))]),
    )
    await expect(refused).rejects.toThrow('no')
    expect(await users.byId(db, id)).toMatchObject({ passwordHash: ann.passwordHash })
  },
)
