import { expect, onTestFinished, test } from 'vitest'
import { addresses } from '#db/address'
import { openDatabase } from '#db/driver'
import { users } from '#db/users'
import { addUser } from '../../testing/database/user-rows.ts'
import { temporaryDatabase } from '../../testing/database/database.ts'
import { urlOf } from '../../testing/database/on-server.ts'
import type { Database } from '../db.ts'

// In an embedded database readers wait for nobody.
const onServer = test.runIf(addresses.setting === 'DB_URL')

/** More than there are connections. */
const writers = 30

const transaction = (db: Database, id: number) => db.transaction((tx) => users.hold(tx, id))
const statement = (db: Database, id: number) => db.run`
  with one (n) as (select 1) update users set name = name
  where id = ${id} and exists (select 1 from one)`

onServer.for([
  [10, 'a transaction', transaction],
  [2, 'a transaction', transaction],
  [2, 'a statement that begins with what it reads', statement],
] as const)(
  'a read is answered while more writers than connections (%i) wait for a locked row, each with %s',
  async ([max, , write]) => {
    const { db: other, address } = await temporaryDatabase()
    const { id } = await addUser(other)
    const url = new URL(urlOf(address))
    url.searchParams.set('max', String(max))
    const db = await openDatabase({ url: url.href })
    onTestFinished(() => db.close())
    const isHeld = Promise.withResolvers<void>()
    const isOver = Promise.withResolvers<void>()
    onTestFinished(() => isOver.resolve())
    const held = other.transaction(async (tx) => {
      await users.hold(tx, id)
      isHeld.resolve()
      await isOver.promise
    })
    await isHeld.promise
    let ended = 0
    const writing = Array.from({ length: writers }, () =>
      write(db, id).then(
        () => void ended++,
        () => void ended++,
      ),
    )
    await expect(users.byId(db, id)).resolves.toMatchObject({ id })
    expect(ended).toBe(0)
    isOver.resolve()
    await Promise.all([held, ...writing])
  },
)
