import { expect, onTestFinished, test } from 'vitest'
import { addresses } from '#db/address'
import { openDatabase } from '#db/driver'
import { users } from '#db/users'
import { addUser } from '../../testing/added.ts'
import { temporaryDatabase } from '../../testing/database.ts'

// In a file whoever reads waits for nobody.
const onServer = test.runIf(addresses.setting === 'DB_URL')

/** More than there are connections. */
const writers = 30

onServer(
  'who only reads is answered while more writers than there are connections wait for a row that another process holds',
  async () => {
    const { db, address } = await temporaryDatabase()
    const { id } = await addUser(db)
    const other = await openDatabase(address)
    onTestFinished(() => other.close())
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
      db
        .transaction((tx) => users.hold(tx, id))
        .then(
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
