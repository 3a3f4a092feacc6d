import type { Extent, Verdict } from '../tools/fault.ts'
import { most, ms } from '../tools/figures.ts'
import { start } from '../tools/servers.ts'
import { startDatabase } from './database-server.ts'
import { migrationsRun, newDatabase, ownMigrations } from './schema.ts'

const instances = 4
const longestReady = 5000

/** Four servers start on one new database, which each of them would migrate. */
export async function startsAtOnce(extent: Extent): Promise<readonly Verdict[]> {
  const rounds = extent.quick ? 5 : 50
  const database = await startDatabase(extent)
  const own = ownMigrations(extent).length
  const ready: number[] = []
  let clean = 0
  for (let round = 0; round < rounds; round++) {
    const url = await newDatabase(database.settings['DB_URL'] ?? '', `round${round}`, extent)
    const settings = { ...database.settings, DB_URL: url }
    const begun = Array.from({ length: instances }, () => start({ settings }))
    const servers = await Promise.all(begun)
    ready.push(...servers.map(({ readyAfter }) => readyAfter))
    const ran = await migrationsRun(url, extent)
    const ended = await Promise.all(servers.map((server) => server.stop()))
    const isQuiet = ended.every(({ code, stderr }) => code === 0 && stderr === '')
    if (isQuiet && ran === own) clean++
  }
  return [
    {
      fault: `four instances start at once on a new database, ${rounds} times`,
      promise: 'each migration runs once, all are ready within 5 s',
      measured:
        `${clean} times ${own} migrations once each and no error; ` +
        `the slowest ready after ${ms(most(ready))}`,
      isKept: clean === rounds && most(ready) <= longestReady,
    },
  ]
}
