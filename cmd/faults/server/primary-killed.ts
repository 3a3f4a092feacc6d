import type { Extent, Verdict } from '../tools/fault.ts'
import { count, most, ms } from '../tools/figures.ts'
import { start } from '../tools/servers.ts'
import { until } from '../tools/until.ts'
import { startPair } from './pair.ts'
import { type Acknowledged, lostOf, untilUpSays, writeOn } from './writes.ts'

// Milliseconds.
const longestReturn = 10_000
const longestWait = 60_000

/** kill -9 of the PostgreSQL primary while two servers write; the standby takes over. */
export async function primaryKilled({ quick }: Extent): Promise<readonly Verdict[]> {
  const rounds = quick ? 3 : 20
  const pair = await startPair()
  const { settings } = pair
  const servers = await Promise.all([start({ settings }), start({ settings })])
  const done: Acknowledged = { emails: new Set(), names: [], writes: 0 }
  const over = new AbortController()
  const { writing } = await writeOn(servers, done, over.signal)
  const back: number[] = []
  for (let round = 0; round < rounds; round++) {
    if (round > 0) await pair.standBy()
    const enough = done.writes + 20 + Math.floor(Math.random() * 20)
    await until(() => done.writes >= enough, longestWait)
    await pair.failOver()
    const before = done.writes
    const promoted = performance.now()
    await Promise.all(servers.map((server) => untilUpSays(server, 200)))
    await until(() => done.writes > before, longestWait)
    back.push(performance.now() - promoted)
  }
  over.abort()
  await writing
  const lost = await lostOf(settings, done)
  const ended = await Promise.all(servers.map((server) => server.stop()))
  const areAlive = ended.every(({ code }) => code === 0)
  return [
    {
      fault: `kill -9 of PostgreSQL under load, and its synchronous standby promoted, ${rounds} times, two servers on both`,
      promise: 'no acknowledged write lost; serving again within 10 s of the promotion',
      measured:
        `${count(done.writes)} acknowledged, ${lost} lost; pages and writes again after ${ms(most(back))} at most; ` +
        (areAlive ? 'both went on' : 'a process ended'),
      isKept: lost === 0 && most(back) <= longestReturn && areAlive,
    },
  ]
}
