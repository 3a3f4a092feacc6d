import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase } from '#db/driver'
import type { App } from '../../app.ts'
import type { DatabaseAddress } from '../../base/settings/config.ts'
import { publish } from '../../services/events.ts'

/** Publishes `notification` to the first user `times` times, `apart` milliseconds apart; prints the times. */
const [address = '', times = '1', apart = '0'] = process.argv.slice(2)
const db = await openDatabase(JSON.parse(address) as DatabaseAddress)
// As much of an app as publishing needs.
const app = { db, events: { wake() {} }, now: () => new Date() } as unknown as App
for (let time = 0; time < Number(times); time++) {
  await db.transaction((tx) => publish(app, tx, 1, 'notification'))
  console.log(performance.timeOrigin + performance.now())
  await pause(Number(apart))
}
await db.close()
