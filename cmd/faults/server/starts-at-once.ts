import type { Extent, Verdict } from '../tools/fault.ts'
import { maximum, ms } from '../tools/figures.ts'
import { start } from '../tools/servers.ts'
import { startDatabase } from './database-server.ts'
import { migrationsRun, newDatabase, ownMigrations } from './schema.ts'

const instances = 4
const longestStartup = 5000

/** Four servers start on one new database, which each of them would migrate. */
export async function startsAtOnce(extent: Extent): Promise<readonly Verdict[]> {
  const rounds = extent.quick ? 5 : 50
  const database = await startDatabase(extent)
  const migrationCount = ownMigrations(extent).length
  const startupTimes: number[] = []
  let cleanRounds = 0
  for (let round = 0; round < rounds; round++) {
    const url = await newDatabase(database.settings['DB_URL'] ?? '', `round${round}`, extent)
    const settings = { ...database.settings, DB_URL: url }
    const starting = Array.from({ length: instances }, () => start({ settings }))
    const servers = await Promise.all(starting)
    startupTimes.push(...servers.map(({ startupTime }) => startupTime))
    const recordedCount = await migrationsRun(url, extent)
    const results = await Promise.all(servers.map((server) => server.stop()))
    const isQuiet = results.every(({ code, stderr }) => code === 0 && stderr === '')
    if (isQuiet && recordedCount === migrationCount) cleanRounds++
  }
  return [
    {
      fault: `four instances start at once on a new database, ${rounds} times`,
      promise: 'each migration runs once, all are ready within 5 s',
      figures:
        `${cleanRounds} times ${migrationCount} migrations once each and no error; ` +
        `the slowest ready after ${ms(maximum(startupTimes))}`,
      isKept: cleanRounds === rounds && maximum(startupTimes) <= longestStartup,
    },
  ]
}
