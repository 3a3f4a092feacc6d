import type { Extent, Verdict } from '../tools/fault.ts'
import { count, most, ms } from '../tools/figures.ts'
import { start } from '../tools/servers.ts'
import { until } from '../tools/until.ts'
import { startDatabase } from './database-server.ts'
import { type Acknowledged, lostOf, untilUpSays, writeOn } from './writes.ts'

// Milliseconds.
const longestNotice = 1000
const longestReturn = 2000
const longestWait = 20_000

/** kill -9 of the database server while two servers write, repeatedly. */
export async function databaseKilled(extent: Extent): Promise<readonly Verdict[]> {
  const { quick } = extent
  const rounds = quick ? 5 : 50
  const database = await startDatabase(extent)
  const { settings } = database
  const servers = await Promise.all([start({ settings }), start({ settings })])
  const done: Acknowledged = { emails: new Set(), names: [], writes: 0 }
  const over = new AbortController()
  const { writing } = await writeOn(servers, done, over.signal)
  const noticed: number[] = []
  const back: number[] = []
  for (let round = 0; round < rounds; round++) {
    const enough = done.writes + 20 + Math.floor(Math.random() * 20)
    await until(() => done.writes >= enough, longestWait)
    await database.kill()
    noticed.push(...(await Promise.all(servers.map((server) => untilUpSays(server, 503)))))
    await database.start()
    back.push(...(await Promise.all(servers.map((server) => untilUpSays(server, 200)))))
  }
  over.abort()
  await writing
  const lost = await lostOf(settings, done)
  const ended = await Promise.all(servers.map((server) => server.stop()))
  const areAlive = ended.every(({ code }) => code === 0)
  return [
    {
      fault: `kill -9 of the database server under load, ${rounds} times, two servers on it`,
      promise:
        'no acknowledged write lost; /up 503 at once (1 s), 200 within 2 s of its return; no process ends',
      measured:
        `${count(done.writes)} acknowledged, ${lost} lost; 503 after ${ms(most(noticed))} at most, ` +
        `200 after ${ms(most(back))} at most; ${areAlive ? 'both went on' : 'a process ended'}`,
      isKept:
        lost === 0 && most(noticed) <= longestNotice && most(back) <= longestReturn && areAlive,
    },
  ]
}
