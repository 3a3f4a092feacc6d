import { join } from 'node:path'
import { openDatabase } from '#db/driver'
import type { Extent, Verdict } from './tools/fault.ts'
import { maximum, ms } from './tools/figures.ts'
import { ownMigrations } from './tools/own-migrations.ts'
import { newFolder, start } from './tools/servers.ts'

const instances = 4
const longestStartup = 5000

/** Four servers start on one new database, which each of them would migrate. */
export async function starts({ quick }: Extent): Promise<readonly Verdict[]> {
  const rounds = quick ? 5 : 50
  const startupTimes: number[] = []
  let cleanRounds = 0
  for (let round = 0; round < rounds; round++) {
    const folder = newFolder()
    const starting = Array.from({ length: instances }, () => start({ folder }))
    const servers = await Promise.all(starting)
    startupTimes.push(...servers.map(({ startupTime }) => startupTime))
    const recordedCount = await migrationsRun(join(folder, 'app.db'))
    const results = await Promise.all(servers.map((server) => server.stop()))
    const isQuiet = results.every(({ code, stderr }) => code === 0 && stderr === '')
    if (isQuiet && recordedCount === ownMigrations.length) cleanRounds++
  }
  return [
    {
      fault: `four instances start at once on a new file, ${rounds} times`,
      promise: 'each migration runs once, all are ready within 5 s',
      figures:
        `${cleanRounds} times ${ownMigrations.length} migrations once each and no error; ` +
        `the slowest ready after ${ms(maximum(startupTimes))}`,
      isKept: cleanRounds === rounds && maximum(startupTimes) <= longestStartup,
    },
  ]
}

/** Returns how many migrations are recorded. Running one twice would have failed, since its tables exist. */
async function migrationsRun(path: string): Promise<number> {
  const db = await openDatabase({ file: path })
  const row = await db.first<{ ran: number }>`SELECT count(*) AS ran FROM migrations`
  await db.close()
  return row?.ran ?? 0
}
