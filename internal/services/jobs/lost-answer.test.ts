import { expect, onTestFinished, test } from 'vitest'
import { cutting } from '../../testing/cutting-proxy.ts'
import { temporaryDatabase } from '../../testing/database.ts'
import { allJobs } from '../../testing/rows.ts'
import { testApp } from '../../testing/test-app.ts'
import { testedDatabase } from '../../testing/tested-database.ts'
import { push } from './push.ts'
import { startWorkers } from './workers.ts'

// Who keeps all in a file waits for no answer.
test.runIf(testedDatabase !== 'sqlite')(
  'a job whose claim had its answer lost runs all the same, once',
  async () => {
    const { db, address } = await temporaryDatabase()
    const way = await cutting(address)
    const app = await testApp({ config: { database: way.address } })
    const ran: string[] = []
    const run = async (_: unknown, { email }: { email: string }) => void ran.push(email)
    way.cutAt(/UPDATE jobs/, 'before its answer')
    await app.db.transaction((tx) => push(app, tx, 'ResetMail', { email: 'ann@x.test' }))
    const work = { ResetMail: { resource: 'mail', run } } as const
    const workers = startWorkers(app, { work, atOnce: 1, poll: 10 })
    onTestFinished(async () => void (await workers.stop(0)))
    await expect.poll(() => allJobs(db)).toEqual([])
    expect([way.isCut, ran]).toEqual([true, ['ann@x.test']])
    expect(app.logged.map(({ message }) => message)).toEqual([
      'looking for jobs failed',
      'the answer to a claim was lost, so its job is due again',
    ])
  },
)
