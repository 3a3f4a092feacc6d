import { expect, test } from 'vitest'
import { jobs } from '#db/jobs'
import { later, noon, temporaryDatabase } from '../testing/database/database.ts'
import { addFailedJob, addJobs, allJobs, claimAllJobs } from '../testing/database/rows.ts'
import type { Db } from './db.ts'
import type { Claim } from './jobs.ts'

const due = { now: noon, beyond: later(6_000_000) }

/** Everything that is ever written under a claim. */
async function writeUnder(db: Db, claim: Claim): Promise<void> {
  await jobs.releaseUnused(db, claim)
  await jobs.finish(db, claim)
  await jobs.runAgain(db, { ...claim, at: noon, error: 'no' })
  await jobs.fail(db, { ...claim, at: noon, error: 'no' })
}

test('twenty simultaneous claims of fifteen jobs claim each job once', async () => {
  const { db } = await temporaryDatabase()
  await addJobs(db, 'x', Array.from({ length: 15 }, String))
  const claims = Array.from({ length: 20 }, (_, i) =>
    jobs.claim(db, { name: 'x', by: String(i), ...due }),
  )
  const ids = (await Promise.all(claims)).map((job) => job?.id)
  expect(ids.filter((id) => id === undefined)).toHaveLength(5)
  expect(new Set(ids).size).toBe(16)
})

test('a process that does not hold the claim of a job cannot change the job', async () => {
  const { db } = await temporaryDatabase()
  await addJobs(db, 'x', ['a'])
  await jobs.claim(db, { name: 'x', by: 'one', ...due })
  await writeUnder(db, { id: 1, by: 'another', tries: 1 })
  expect(await allJobs(db)).toMatchObject([{ claimedBy: 'one', error: null, failedAt: null }])
})

test('a late write of an earlier run changes nothing, even after the same process claimed the job again', async () => {
  const { db } = await temporaryDatabase()
  await addJobs(db, 'x', ['a'])
  const earlier = { id: 1, by: 'one', tries: 1 }
  const claim = () => jobs.claim(db, { name: 'x', by: 'one', ...due })
  await claim()
  await jobs.releaseUnused(db, earlier)
  await claim()
  await writeUnder(db, earlier)
  expect(await allJobs(db)).toMatchObject([
    { claimedBy: 'one', tries: 2, error: null, failedAt: null },
  ])
})

test('a new job is claimed before one to be retried, which is not claimed before its time', async () => {
  const { db } = await temporaryDatabase()
  await addJobs(db, 'x', ['a', 'b'])
  const claim = (now: Date) => jobs.claim(db, { name: 'x', by: 'one', ...due, now })
  await claim(noon)
  await jobs.runAgain(db, { id: 1, by: 'one', tries: 1, at: later(1000), error: 'no' })
  const claimed = [await claim(later(1000)), await claim(later(999)), await claim(later(1000))]
  expect(claimed.map((job) => job?.id)).toEqual([2, undefined, 1])
})

test('jobs of a dead process are due at once, and fail for good if that was their last run', async () => {
  const { db } = await temporaryDatabase()
  await addJobs(db, 'x', ['a', 'b'])
  await claimAllJobs(db, 'dead', 8)
  const dead = { by: 'dead', runs: 10, at: noon, error: 'It died.' }
  expect(await db.transaction((tx) => jobs.releaseOfDead(tx, dead))).toBe(2)
  expect(await allJobs(db)).toMatchObject([
    { tries: 9, runAt: null, claimedBy: null, failedAt: null, error: null },
    { tries: 10, claimedBy: null, failedAt: noon, error: 'It died.' },
  ])
})

test('jobs that mail to an email are found in any case of its ASCII letters, and with the same other letters', async () => {
  const { db } = await temporaryDatabase()
  for (const email of ['IDA@x.test', 'İda@x.test', 'ida@X.test', 'ıda@x.test'])
    await addFailedJob(db, { name: 'mail', payload: { email }, error: 'no', tries: 10, at: noon })
  const found = await jobs.ofUser(db, { userId: 1, emailKey: 'ida@x.test', most: 9 })
  const [one, , other] = await allJobs(db)
  expect(found.map(({ id, inAll }) => [id, inAll])).toEqual([
    [one?.id, 2],
    [other?.id, 2],
  ])
})

test('a job can be cancelled only before its first run begins, even if that run was given up', async () => {
  const { db } = await temporaryDatabase()
  const push = () =>
    db.transaction((tx) =>
      jobs.insert(tx, { name: 'x', payload: '{}', at: noon, due: later(1000) }),
    )
  const cancel = (id: number) => db.transaction((tx) => jobs.cancel(tx, id))
  const [waiting, begun, givenUp] = [await push(), await push(), await push()]
  const late = { ...due, now: later(1000) }
  expect([await cancel(waiting), await cancel(waiting)]).toEqual([true, false])
  await jobs.claim(db, { name: 'x', by: 'one', ...late })
  await jobs.claim(db, { name: 'x', by: 'two', ...late })
  await jobs.releaseOfStopping(db, 'two')
  expect([await cancel(begun), await cancel(givenUp)]).toEqual([false, false])
})

test('only a failed job can be retried, and it gets all its runs again', async () => {
  const { db } = await temporaryDatabase()
  await addJobs(db, 'x', ['a'])
  await addFailedJob(db, { name: 'y', error: 'no', tries: 10, at: noon })
  const retry = (id: number) => jobs.retry(db, { id, at: noon })
  expect([await retry(1), await retry(2), await retry(2)]).toEqual([undefined, 'y', undefined])
  const [, retried] = await allJobs(db)
  expect(retried).toMatchObject({ name: 'y', tries: 0, failedAt: null })
})

test('a new job is claimed before jobs that are retried', async () => {
  const { db } = await temporaryDatabase()
  for (let n = 0; n < 2; n++)
    await addFailedJob(db, { name: 'x', error: 'no', tries: 10, at: noon })
  await jobs.retry(db, { id: 1, at: noon })
  await jobs.retrySome(db, { most: 5, at: noon })
  await addJobs(db, 'x', ['new'])
  const claimed: unknown[] = []
  for (const by of ['one', 'two', 'three'])
    claimed.push((await jobs.claim(db, { name: 'x', by, ...due }))?.id)
  expect(claimed).toEqual([3, 1, 2])
})
