import { expect, onTestFinished, test } from 'vitest'
import { browsers } from '#db/browsers'
import { cache } from '#db/cache'
import { openDatabase } from '#db/driver'
import { jobs } from '#db/jobs'
import { throttles } from '#db/throttles'
import { addUser, keyOf } from '../testing/database/user-rows.ts'
import { later, noon, temporaryDatabase } from '../testing/database/database.ts'
import { addFailedJob } from '../testing/database/rows.ts'

test('rows that are renewed while a prune waits for them are kept', async () => {
  const { db, address } = await temporaryDatabase()
  const other = await openDatabase(address)
  onTestFinished(() => other.close())
  const { id: userId } = await addUser(db)
  const [key, hash] = [keyOf('a throttle'), keyOf('a browser')]
  await throttles.take(db, { key, now: noon, endsAt: later(1000) })
  await db.transaction((tx) => browsers.recordLogin(tx, { userId, hash, at: noon }))
  await cache.put(db, { key: 'an entry', value: 'x', endsAt: later(1000) })
  await addFailedJob(db, { name: 'x', error: 'no', tries: 10, at: noon })
  const ended = { now: later(1500), before: later(1500), most: 10 }
  let pruned: Promise<number[]> | undefined
  await db.transaction(async (tx) => {
    await throttles.take(tx, { key, now: later(2000), endsAt: later(3000) })
    await browsers.recordLogin(tx, { userId, hash, at: later(2000) })
    await cache.put(tx, { key: 'an entry', value: 'x', endsAt: later(3000) })
    await jobs.retry(tx, { id: 1, at: later(2000) })
    pruned = Promise.all([throttles, browsers, cache, jobs].map((rows) => rows.prune(other, ended)))
    // They are requested meanwhile, and have every chance to wait.
    for (let times = 0; times < 5; times++) await other.ping()
  })
  expect(await pruned).toEqual([0, 0, 0, 0])
  const claimed = await jobs.claim(db, {
    name: 'x',
    by: 'one',
    now: later(2000),
    beyond: later(9000),
  })
  expect(claimed).toMatchObject({ id: 1 })
})
