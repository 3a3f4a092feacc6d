import { appendFileSync, existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { makeSignal } from '../../base/signal.ts'
import { openDatabase } from '#db/driver'
import type { App } from '../../app.ts'
import type { DatabaseAddress } from '../../base/settings/config.ts'
import { startWorkers } from '../../services/jobs/workers.ts'

const [address = '', file = ''] = process.argv.slice(2)
const database = JSON.parse(address) as DatabaseAddress
const silent = () => {}

// As much of an app as workers need.
const app = {
  config: { database },
  db: await openDatabase(database),
  jobSignal: makeSignal(),
  log: { debug: silent, info: silent, warn: silent, error: console.error },
  now: () => new Date(),
} as unknown as App

startWorkers(app, {
  atOnce: 4,
  poll: 10,
  work: {
    ResetMail: {
      resource: 'mail',
      run: async (_, { email }, signal) => {
        while (existsSync(`${file}.${email}`)) await pause(5, undefined, { signal })
        await pause(2)
        appendFileSync(file, `${email}\n`)
        await pause(2)
      },
    },
  },
})
console.log('working')
// The workers alone do not keep the process running.
setInterval(silent, 1000)
