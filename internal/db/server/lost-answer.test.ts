import { expect, onTestFinished, test } from 'vitest'
import { addresses } from '#db/address'
import { push } from '../../services/jobs/push.ts'
import { startWorkers } from '../../services/jobs/workers.ts'
import { cuttingProxy } from '../../testing/network/cutting-proxy.ts'
import { temporaryDatabase } from '../../testing/database/database.ts'
import { allJobs } from '../../testing/database/rows.ts'
import { testApp } from '../../testing/test-app.ts'

// An embedded database sends no answers that could be lost.
test.runIf(addresses.setting === 'DB_URL')(
  'a job whose claim lost its answer still runs, once',
  async () => {
    const { db, address } = await temporaryDatabase()
    const proxy = await cuttingProxy(address)
    const app = await testApp({ config: { database: proxy.address } })
    const ran: string[] = []
    const claimants: (string | null)[] = []
    const run = async (_: unknown, { email }: { email: string }) => {
      ran.push(email)
      claimants.push(...(await allJobs(db)).map(({ claimedBy }) => claimedBy))
    }
    const reset = (email: string) =>
      app.db.transaction((tx) => push(app, tx, 'ResetMail', { email }))
    const work = { ResetMail: { resource: 'mail', run } } as const
    const workers = startWorkers(app, { work, atOnce: 1, poll: 10 })
    onTestFinished(async () => void (await workers.stop(0)))
    // The first job reveals the claimant's ID, by which the next claim is recognized.
    await reset('a')
    await expect.poll(() => allJobs(db)).toEqual([])
    proxy.cutAt(new RegExp(claimants[0] ?? ''), 'before its answer')
    await reset('b')
    await expect.poll(() => allJobs(db)).toEqual([])
    expect([proxy.isCut, ran]).toEqual([true, ['a', 'b']])
    expect(app.logLines.map(({ message }) => message)).toEqual([
      'looking for jobs failed',
      'the answer to a claim was lost, so its job is due again',
    ])
  },
)
