import { expect, test } from 'vitest'
import { addresses } from '#db/address'
import { jobs } from '#db/jobs'
import { analyzeJobs } from '#testing/plans'
import { later, noon, temporaryDatabase } from '../../testing/database/database.ts'
import { rowsRead } from '../../testing/database/rows-read.ts'
import { failSomeJobs } from '../../testing/database/rows.ts'
import type { Db } from '../db.ts'

// An embedded database has a test in internal/db instead, which reads the plans.
const onServer = test.runIf(addresses.setting === 'DB_URL')

const names = ['mail', 'notice', 'prune']

onServer('looking for due jobs reads few rows, however many wait or have failed', async () => {
  const { db } = await temporaryDatabase()
  const job = { payload: '{}', at: noon, due: later(60_000) }
  await db.transaction((tx) =>
    Promise.all(
      Array.from({ length: 3000 }, (_, n) => jobs.insert(tx, { ...job, name: names[n % 2] ?? '' })),
    ),
  )
  await failSomeJobs(db, noon)
  await analyzeJobs(db)
  let read = 0
  const counting: Pick<Db, 'all'> = {
    all: async (sql, ...values) => {
      read += await rowsRead(db, sql, values)
      return []
    },
  }
  await jobs.dueNames(counting as Db, names, { now: later(59_000), beyond: later(120_000) })
  await jobs.waitingNames(counting as Db)
  expect(read).toBeLessThan(100)
  const waiting = await jobs.waitingNames(db)
  expect(waiting.toSorted()).toEqual(['mail', 'notice'])
  expect(await jobs.dueNames(db, names, { now: later(59_000), beyond: later(120_000) })).toEqual([])
})
