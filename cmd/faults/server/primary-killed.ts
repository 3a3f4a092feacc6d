import type { Extent, Verdict } from '../tools/fault.ts'
import { count, maximum, ms } from '../tools/figures.ts'
import { start } from '../tools/servers.ts'
import { until } from '../tools/until.ts'
import { startPair } from './pair.ts'
import { type Acknowledged, countLost, untilUpAnswers, startWriting } from './writes.ts'

// Milliseconds.
const longestReturn = 10_000
const longestWait = 60_000

/** kill -9 of the PostgreSQL primary while two servers write; the standby takes over. */
export async function primaryKilled({ quick }: Extent): Promise<readonly Verdict[]> {
  const rounds = quick ? 3 : 20
  const pair = await startPair()
  const { settings } = pair
  const servers = await Promise.all([start({ settings }), start({ settings })])
  const acknowledged: Acknowledged = { emails: new Set(), names: [], writes: 0 }
  const stopWriting = new AbortController()
  const { writing } = await startWriting(servers, acknowledged, stopWriting.signal)
  const returnTimes: number[] = []
  for (let round = 0; round < rounds; round++) {
    if (round > 0) await pair.startStandby()
    const writesBeforeKill = acknowledged.writes + 20 + Math.floor(Math.random() * 20)
    await until(() => acknowledged.writes >= writesBeforeKill, longestWait)
    await pair.failOver()
    const before = acknowledged.writes
    const promotedAt = performance.now()
    await Promise.all(servers.map((server) => untilUpAnswers(server, 200)))
    await until(() => acknowledged.writes > before, longestWait)
    returnTimes.push(performance.now() - promotedAt)
  }
  stopWriting.abort()
  await writing
  const lost = await countLost(settings, acknowledged)
  const results = await Promise.all(servers.map((server) => server.stop()))
  const haveSurvived = results.every(({ code }) => code === 0)
  return [
    {
      fault: `kill -9 of PostgreSQL under load, and its synchronous standby promoted, ${rounds} times, two servers on both`,
      promise: 'no acknowledged write lost; serving again within 10 s of the promotion',
      figures:
        `${count(acknowledged.writes)} acknowledged, ${lost} lost; pages and writes again after ${ms(maximum(returnTimes))} at most; ` +
        (haveSurvived ? 'both went on' : 'a process ended'),
      isKept: lost === 0 && maximum(returnTimes) <= longestReturn && haveSurvived,
    },
  ]
}
