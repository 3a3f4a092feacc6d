import { setTimeout as pause } from 'node:timers/promises'
import { emailOf } from '../../../internal/testing/database/fill-database.ts'
import { type Answer, Visitor } from '../tools/client.ts'
import type { Extent, Verdict } from '../tools/fault.ts'
import { count, maximum, ms } from '../tools/figures.ts'
import { residentBytes } from '../../bench/rest.ts'
import { start } from '../tools/servers.ts'
import { until } from '../tools/until.ts'
import { startDatabase } from './database-server.ts'

const visitorCount = 4
// Milliseconds.
const pauseDuration = 30_000
const longestAnswer = 5000
const longestReturn = 2000
// Milliseconds after which a person retries.
const retryInterval = 250
const mostGrowth = 20_000_000

interface Probe {
  readonly status: number
  readonly duration: number
}

/** The database server is paused for half a minute: it neither answers nor hangs up. */
export async function databaseStopped(extent: Extent): Promise<readonly Verdict[]> {
  const { quick } = extent
  const duration = quick ? pauseDuration / 3 : pauseDuration
  const database = await startDatabase(extent)
  const server = await start({ settings: database.settings })
  const visitors = Array.from({ length: visitorCount }, () => new Visitor(server))
  for (const [n, visitor] of visitors.entries()) await visitor.register(emailOf(n))
  // The first pages allocate memory that later ones reuse.
  const warmUpEnd = performance.now() + 2000
  await Promise.all(
    visitors.map((visitor) => probeWhile(visitor, () => performance.now() < warmUpEnd)),
  )
  const before = residentBytes(server.pid)
  database.pause()
  const pauseEnd = performance.now() + duration
  const probes = (
    await Promise.all(
      visitors.map((visitor) => probeWhile(visitor, () => performance.now() < pauseEnd)),
    )
  ).flat()
  database.resume()
  const [visitor] = visitors
  const isWell = async () => (await probe(visitor ?? new Visitor(server))).status === 200
  const recoveryTime = await until(isWell, 10 * longestReturn)
  const memoryGrowth = residentBytes(server.pid) - before
  const { code } = await server.stop()
  const areRefused = probes.every(({ status }) => status === 503)
  const slowest = maximum(probes.map(({ duration }) => duration))
  return [
    {
      fault: `the database server held by SIGSTOP for ${duration / 1000} s`,
      promise: 'pages answer 503 within 5 s each, none hangs, memory stays, all well 2 s after',
      figures:
        `${count(probes.length)} pages, ${probes.filter(({ status }) => status === 503).length} answered 503, ` +
        `the slowest after ${ms(slowest)}; ${(memoryGrowth / 1e6).toFixed(1)} MB more; well ${ms(recoveryTime)} after`,
      isKept:
        areRefused &&
        slowest <= longestAnswer &&
        memoryGrowth <= mostGrowth &&
        recoveryTime <= longestReturn &&
        code === 0,
    },
  ]
}

async function probeWhile(visitor: Visitor, isContinued: () => boolean): Promise<Probe[]> {
  const probes: Probe[] = []
  while (isContinued()) {
    probes.push(await probe(visitor))
    await pause(retryInterval)
  }
  return probes
}

async function probe(visitor: Visitor): Promise<Probe> {
  const began = performance.now()
  const { status }: Pick<Answer, 'status'> = await visitor
    .get('/settings/profile')
    .catch(() => ({ status: 0 }))
  return { status, duration: performance.now() - began }
}
