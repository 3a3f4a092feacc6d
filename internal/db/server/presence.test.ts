import { expect, onTestFinished, test, vi } from 'vitest'
import { addresses } from '#db/address'
import { jobs } from '#db/jobs'
import { presences } from '#db/presence'
import { cuttingProxy } from '../../testing/network/cutting-proxy.ts'
import { temporaryDatabase } from '../../testing/database/database.ts'
import { testApp } from '../../testing/test-app.ts'
import { push } from '../../services/jobs/push.ts'
import { startWorkers } from '../../services/jobs/workers.ts'
import { patience } from './keep-talking.ts'
import type { Work } from '../../services/jobs/job-names.ts'

const isServer = addresses.setting === 'DB_URL'

test.runIf(isServer)(
  'checking whether a process is gone fails as busy when the server does not answer in time',
  async () => {
    const proxy = await cuttingProxy((await temporaryDatabase()).address)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
    onTestFinished(() => void vi.useRealTimers())
    proxy.cutAt(/pg_try_advisory|IS_FREE_LOCK/, 'never told')
    const isGone = presences.isGone(proxy.address, 'of nobody').catch(({ name }: Error) => name)
    await expect.poll(() => proxy.isCut).toBe(true)
    vi.advanceTimersByTime(patience)
    expect(await isGone).toBe('DatabaseBusy')
  },
)

test.runIf(isServer)(
  'jobs run while the check whether another process is gone gets no answer',
  async () => {
    const proxy = await cuttingProxy((await temporaryDatabase()).address)
    const app = await testApp({ config: { database: proxy.address } })
    let ran = Promise.withResolvers<string>()
    const work = {
      ResetMail: { resource: 'mail', run: async (_: unknown, { email }) => ran.resolve(email) },
    } satisfies Partial<Work>
    const reset = (email: string) =>
      app.db.transaction((tx) => push(app, tx, 'ResetMail', { email }))
    await reset('of another')
    const now = app.now()
    await jobs.claim(app.db, { name: 'ResetMail', by: 'another', now, beyond: now })
    proxy.cutAt(/pg_try_advisory_xact_lock\(|IS_FREE_LOCK/, 'never told')
    const workers = startWorkers(app, { work, atOnce: 1, poll: 10 })
    onTestFinished(async () => void (await workers.stop(0)))
    await expect.poll(() => proxy.isCut).toBe(true)
    for (const email of ['first', 'second']) {
      ran = Promise.withResolvers()
      await reset(email)
      // If the check for the other process had been abandoned, the log would say so.
      expect([await ran.promise, app.logLines]).toEqual([email, []])
    }
  },
)
