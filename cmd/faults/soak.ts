import { setTimeout as pause } from 'node:timers/promises'
import { addTokens } from '../bench/add-tokens.ts'
import type { Extent, Verdict } from './tools/fault.ts'
import { count } from './tools/figures.ts'
import { createFilledDatabase } from './tools/filled-database.ts'
import { inspectable, type Memory, openMemoryReader } from './tools/memory.ts'
import { mixedUsers, startMixedLoad } from './tools/mixed-load.ts'
import { start } from './tools/servers.ts'

// One per user, who may make sixty calls a minute.
const tokenCount = mixedUsers
const growthPeriod = 10 * 60_000
const mostGrowth = 2_000_000
// For shorter runs: the process is still warming up, so only what leaks with every request is noticed.
const mostWarming = 5_000_000

/**
 * Applies a mixed load for the requested time. The warm-up is the first third, or a quarter of an hour if that is
 * longer, but at most half of the time.
 */
export async function soak({ minutes }: Extent): Promise<readonly Verdict[]> {
  const { folder, database } = await createFilledDatabase(mixedUsers)
  const accessTokens = await addTokens({ file: database }, tokenCount)
  const server = await start({ folder, executable: inspectable() })
  const memory = await openMemoryReader(server)
  const load = startMixedLoad(server, accessTokens)
  const readings: Reading[] = []
  const began = performance.now()
  const duration = minutes * 60_000
  // Sixty readings, but far enough apart that the garbage collections are not most of the load.
  const interval = Math.max(5000, duration / 60)
  while (performance.now() - began < duration) {
    await pause(interval)
    readings.push({ at: performance.now() - began, ...(await memory.read()) })
  }
  await load.stop()
  memory.close()
  const { code } = await server.stop()
  return [verdict(readings, { minutes, requests: load.requests, failed: load.failed, code })]
}

interface Reading extends Memory {
  /** Milliseconds since the load began. */
  readonly at: number
}

interface Totals {
  readonly minutes: number
  readonly requests: number
  readonly failed: readonly string[]
  readonly code: number | null
}

function verdict(
  readings: readonly Reading[],
  { minutes, requests, failed, code }: Totals,
): Verdict {
  const duration = minutes * 60_000
  // The threads' malloc arenas grow for about a quarter of an hour.
  const warmUp = Math.max(duration / 3, Math.min(15 * 60_000, duration / 2))
  const warmReadings = readings.filter(({ at }) => at >= warmUp)
  const measuredTime = (warmReadings.at(-1)?.at ?? 0) - (warmReadings[0]?.at ?? 0)
  const most = measuredTime < growthPeriod ? mostWarming : mostGrowth
  const resident = growth(warmReadings, ({ resident }) => resident)
  const used = growth(warmReadings, ({ used }) => used)
  const last = readings.at(-1)
  return {
    fault: `mixed load for ${minutes} minutes`,
    promise:
      'memory grows less than 2 MB in 10 minutes once it is warm (in a run too short for that, 5 MB in all); no answer of 500 or above',
    figures:
      `${count(requests)} requests, ${failed.length} failed${failed.length > 0 ? ` (${failed.slice(0, 5).join('; ')})` : ''}; ` +
      `by least squares over ${warmReadings.length} readings in ${Math.round(measuredTime / 1000)} s after a collection, pages in memory grow ${mb(resident)} and what is in use ${mb(used)}, ` +
      `in the end ${mb(last?.resident ?? 0)} and ${mb(last?.used ?? 0)}; exit ${code} at the end`,
    isKept: resident < most && used < most && failed.length === 0 && code === 0,
  }
}

/**
 * Returns the growth by linear regression, per ten minutes, or from the first reading to the last if that is shorter.
 */
function growth(readings: readonly Reading[], valueOf: (reading: Reading) => number): number {
  const mean = (of: (reading: Reading) => number) =>
    readings.reduce((sum, reading) => sum + of(reading), 0) / readings.length
  const [at, value] = [mean((reading) => reading.at), mean(valueOf)]
  const covariance = mean((reading) => (reading.at - at) * (valueOf(reading) - value))
  const slope = covariance / mean((reading) => (reading.at - at) ** 2)
  const measuredTime = (readings.at(-1)?.at ?? 0) - (readings[0]?.at ?? 0)
  return slope * Math.min(growthPeriod, measuredTime)
}

function mb(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(2)} MB`
}
