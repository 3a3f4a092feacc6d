import { expect, onTestFinished, test } from 'vitest'
import { addresses } from '#db/address'
import { cache } from '#db/cache'
import { openDatabase } from '#db/driver'
import { testApp } from '../../testing/test-app.ts'
import type { Work } from './job-names.ts'
import { push } from './push.ts'
import { startWorkers } from './workers.ts'

// In a database file, no second writer can run beside a transaction.
test.runIf(addresses.setting === 'DB_URL')(
  'jobs run while a hanging process holds a row of the schedule',
  async () => {
    const app = await testApp()
    const hanging = await openDatabase(app.config.database)
    const ran = Promise.withResolvers<void>()
    const isHeld = Promise.withResolvers<void>()
    const key = 'schedule:prune-cache'
    const holding = hanging.transaction(async (tx) => {
      await cache.replace(tx, { key, value: 'x', unless: { from: '', to: '' } })
      isHeld.resolve()
      await ran.promise
    })
    onTestFinished(async () => {
      await Promise.allSettled([holding])
      await hanging.close()
    })
    await isHeld.promise
    const work: Partial<Work> = {
      ResetMail: { resource: 'mail', run: async () => ran.resolve() },
      'prune-cache': { resource: 'database', run: async () => {} },
    }
    const schedule = [{ name: 'prune-cache', every: 'minute' }] as const
    const workers = startWorkers(app, { work, schedule, atOnce: 4, poll: 10 })
    onTestFinished(async () => void (await workers.stop(0)))
    await app.db.transaction((tx) => push(app, tx, 'ResetMail', { email: 'ann@x.test' }))
    await ran.promise
    expect(app.logLines.map(({ message }) => message)).toEqual(['looking for jobs failed'])
  },
)
