import { expect, test } from 'vitest'
import { addresses } from '#db/address'
import { users } from '#db/users'
import { addUser, ann } from '../../testing/database/user-rows.ts'
import { temporaryDatabase } from '../../testing/database/database.ts'
import { allUsers } from '../../testing/database/rows.ts'
import type { Database, Tx } from '../db.ts'

const isServer = addresses.setting === 'DB_URL'
const bob = { ...ann, name: 'Bob', email: 'bob@x.test', emailKey: 'bob@x.test' }

/**
 * Makes two transactions each change a user and then the other's user: neither can continue until one of them is
 * stopped. `each`: what they do first, at every run. Returns the reasons why they were stopped.
 */
async function waitForEachOther(db: Database, each: (tx: Tx) => void): Promise<unknown[]> {
  const ids = [(await addUser(db)).id, (await addUser(db, bob)).id]
  const held = ids.map(() => Promise.withResolvers<void>())
  const stopped: unknown[] = []
  const inOrder = (order: readonly number[], language: string, at: number) =>
    db.transaction(async (tx) => {
      each(tx)
      for (const id of order) {
        await users.setLanguage(tx, { id, language }).catch((error: unknown) => {
          stopped.push(error)
          throw error
        })
        held[at]?.resolve()
        await Promise.all(held.map(({ promise }) => promise))
      }
    })
  await Promise.all([inOrder(ids, 'de', 0), inOrder(ids.toReversed(), 'en', 1)])
  return stopped
}

test.runIf(isServer)(
  'of two deadlocked transactions one is run again, both commit, and afterCommit runs once for each',
  async () => {
    const { db } = await temporaryDatabase()
    let [runs, afterCommits] = [0, 0]
    const stopped = await waitForEachOther(db, (tx) => {
      runs++
      tx.afterCommit(() => void afterCommits++)
    })
    expect(stopped).not.toHaveLength(0)
    expect([runs, afterCommits]).toEqual([2 + stopped.length, 2])
    expect(new Set((await allUsers(db)).map(({ language }) => language)).size).toBe(1)
  },
)

test.runIf(isServer)(
  'a transaction that is stopped every time is run five times and then fails',
  async () => {
    const { db } = await temporaryDatabase()
    const [stopped] = await waitForEachOther(db, () => {})
    let [runs, afterCommits] = [0, 0]
    const failing = db.transaction(async (tx) => {
      runs++
      tx.afterCommit(() => void afterCommits++)
      await users.setLanguage(tx, { id: 1, language: 'fr' })
      throw stopped
    })
    await expect(failing).rejects.toBe(stopped)
    expect([runs, afterCommits]).toEqual([5, 0])
    expect((await users.byId(db, 1))?.language).not.toBe('fr')
  },
)
