import type { Extent, Verdict } from '../tools/fault.ts'
import { count, maximum, ms } from '../tools/figures.ts'
import { start } from '../tools/servers.ts'
import { until } from '../tools/until.ts'
import { startDatabase } from './database-server.ts'
import { type Acknowledged, countLost, untilUpAnswers, startWriting } from './writes.ts'

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
  const acknowledged: Acknowledged = { emails: new Set(), names: [], writes: 0 }
  const stopWriting = new AbortController()
  const { writing } = await startWriting(servers, acknowledged, stopWriting.signal)
  const noticeTimes: number[] = []
  const returnTimes: number[] = []
  for (let round = 0; round < rounds; round++) {
    const writesBeforeKill = acknowledged.writes + 20 + Math.floor(Math.random() * 20)
    await until(() => acknowledged.writes >= writesBeforeKill, longestWait)
    await database.kill()
    noticeTimes.push(...(await Promise.all(servers.map((server) => untilUpAnswers(server, 503)))))
    await database.start()
    returnTimes.push(...(await Promise.all(servers.map((server) => untilUpAnswers(server, 200)))))
  }
  stopWriting.abort()
  await writing
  const lost = await countLost(settings, acknowledged)
  const results = await Promise.all(servers.map((server) => server.stop()))
  const haveSurvived = results.every(({ code }) => code === 0)
  return [
    {
      fault: `kill -9 of the database server under load, ${rounds} times, two servers on it`,
      promise:
        'no acknowledged write lost; /up 503 at once (1 s), 200 within 2 s of its return; no process ends',
      figures:
        `${count(acknowledged.writes)} acknowledged, ${lost} lost; 503 after ${ms(maximum(noticeTimes))} at most, ` +
        `200 after ${ms(maximum(returnTimes))} at most; ${haveSurvived ? 'both went on' : 'a process ended'}`,
      isKept:
        lost === 0 &&
        maximum(noticeTimes) <= longestNotice &&
        maximum(returnTimes) <= longestReturn &&
        haveSurvived,
    },
  ]
}
