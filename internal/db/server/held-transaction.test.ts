import { expect, onTestFinished, test } from 'vitest'
import { addresses } from '#db/address'
import { cache } from '#db/cache'
import { openDatabase } from '#db/driver'
import { later, temporaryDatabase } from '../../testing/database/database.ts'
import { urlOf } from '../../testing/database/on-server.ts'
import { DatabaseBusy } from '../db.ts'

const entry = { key: 'a row', value: 'x', endsAt: later(1000) }
const wait = 1000

// In a file a row lock ends only with its transaction or process.
const onServer = test.runIf(addresses.setting === 'DB_URL')

/** Opens a database twice. `query`: added to its URL. */
async function openedTwice(query: Readonly<Record<string, string>> = {}) {
  const { address } = await temporaryDatabase()
  const url = new URL(urlOf(address))
  for (const [word, value] of Object.entries(query)) url.searchParams.set(word, value)
  const open = async () => {
    const db = await openDatabase({ url: url.href }, { wait })
    onTestFinished(() => db.close())
    return db
  }
  return { hanging: await open(), other: await open() }
}

/** Expects a row to become free by itself once the transaction that locks it falls silent. */
async function comesFree(query?: Readonly<Record<string, string>>): Promise<void> {
  const { hanging, other } = await openedTwice(query)
  const isHeld = Promise.withResolvers<void>()
  const isOver = Promise.withResolvers<void>()
  const held = hanging.transaction(async (tx) => {
    await cache.put(tx, entry)
    isHeld.resolve()
    await isOver.promise
  })
  const ended = Promise.allSettled([held])
  onTestFinished(() => isOver.resolve())
  await isHeld.promise
  await expect.poll(() => cache.put(other, entry).then(() => 'written', String)).toBe('written')
  isOver.resolve()
  expect(await ended).toMatchObject([{ reason: expect.any(DatabaseBusy) as unknown }])
  // Later requests are served on another connection.
  await cache.put(hanging, entry)
}

onServer(
  'the lock of a process that hangs is released, and its transaction fails as busy',
  async () => {
    await comesFree()
  },
)

onServer(
  'behind a pooler the lock of a process that hangs is released, and its transaction fails as busy',
  async () => {
    await comesFree({ prepare: 'false' })
  },
)
