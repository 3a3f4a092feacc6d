import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openDatabase } from '#db/driver'
import { migrate } from '#db/migrations'
import type { Extent, Verdict } from './tools/fault.ts'
import { count } from './tools/figures.ts'
import { createFilledDatabase } from './tools/filled-database.ts'
import { damageOf } from './damage.ts'
import { killPrefix, listKillPoints, spread } from './tools/kill-points.ts'
import { ownMigrations } from './tools/own-migrations.ts'
import { newFolder, run, runNode } from './tools/servers.ts'
import { need } from './tools/system-tools.ts'

/** kill -9 when a migration makes its nth system call to the disk, for points spread over all its calls. */
export async function migrations({ quick }: Extent): Promise<readonly Verdict[]> {
  const strace = need('strace')
  const points = quick ? 12 : 60
  return [await tryOwnMigrations(strace, points), await tryLargeMigration(strace, points)]
}

/** Kills the executable's own migrations, each time on a new file. */
async function tryOwnMigrations(strace: string, pointCount: number): Promise<Verdict> {
  const states = await statesOfSchema()
  const allPoints = await listKillPoints(strace, (launcher) => run(['migrate'], { launcher }))
  const at = spread(allPoints, pointCount)
  const found: number[] = []
  let killedCount = 0
  let finishedCount = 0
  for (const point of at) {
    const folder = newFolder()
    const { signal } = await run(['migrate'], { folder, launcher: killPrefix(strace, point) })
    if (signal === 'SIGKILL') killedCount++
    found.push(states.indexOf(await schemaOf(folder)))
    const { code } = await run(['migrate'], { folder })
    if (code === 0 && (await schemaOf(folder)) === states.at(-1)) finishedCount++
  }
  const betweenCount = found.filter((state) => state === -1).length
  const reachedStates = [...new Set(found)].toSorted((a, b) => a - b)
  return {
    fault: `kill -9 during the service's own migrations, at ${at.length} points`,
    promise: 'each is before or after, never between; the next run does the rest',
    figures:
      `${killedCount} killed, ${betweenCount} between (found after ${reachedStates.join(', ')} of ${states.length - 1}), ` +
      `${finishedCount} finished by the next run`,
    isKept: killedCount === at.length && betweenCount === 0 && finishedCount === at.length,
  }
}

/** Returns the schema before all migrations, and after each of them. */
async function statesOfSchema(): Promise<readonly string[]> {
  const folder = newFolder()
  const states = [await schemaOf(folder)]
  for (const [n] of ownMigrations.entries()) {
    await migrate({ file: join(folder, 'app.db') }, ownMigrations.slice(0, n + 1), new Date())
    states.push(await schemaOf(folder))
  }
  return states
}

/** Returns tables, indexes and the recorded migrations. */
async function schemaOf(folder: string): Promise<string> {
  const db = await openUndamaged(join(folder, 'app.db'))
  const schema = await db.all<{ name: string }>`SELECT name, sql FROM sqlite_schema ORDER BY name`
  const isRecorded = schema.some(({ name }) => name === 'migrations')
  const recordedMigrations = isRecorded
    ? await db.all`SELECT name, hash FROM migrations ORDER BY name`
    : []
  await db.close()
  return JSON.stringify([schema, recordedMigrations])
}

const users = 20_000

/** Kills a migration that rewrites every user, run by a separate program. */
async function tryLargeMigration(strace: string, pointCount: number): Promise<Verdict> {
  const { database } = await createFilledDatabase(users)
  const program = fileURLToPath(new URL('tools/migrate-program.ts', import.meta.url))
  const copy = () => {
    const path = join(newFolder(), 'app.db')
    copyFileSync(database, path)
    return path
  }
  const allPoints = await listKillPoints(strace, (launcher) => runNode([program, copy()], launcher))
  const at = spread(allPoints, pointCount)
  const found = { before: 0, after: 0, between: 0 }
  let killedCount = 0
  for (const point of at) {
    const path = copy()
    const { signal } = await runNode([program, path], killPrefix(strace, point))
    if (signal === 'SIGKILL') killedCount++
    found[await migrationState(path)]++
  }
  return {
    fault: `kill -9 during a migration that writes ${count(users)} users anew, at ${at.length} points`,
    promise: 'before or after, never between',
    figures: `${killedCount} killed: ${found.before} before, ${found.after} after, ${found.between} between`,
    isKept: killedCount === at.length && found.between === 0,
  }
}

async function migrationState(path: string): Promise<'before' | 'after' | 'between'> {
  const db = await openUndamaged(path)
  const row = await db.first<{ columns: number; indexes: number; noted: number; names: number }>`
    SELECT
      (SELECT count(*) FROM pragma_table_info('users') WHERE name = 'initial') AS columns,
      (SELECT count(*) FROM sqlite_schema WHERE name = 'users_initial') AS indexes,
      (SELECT count(*) FROM migrations WHERE name LIKE '%initials.sql') AS noted,
      (SELECT count(*) FROM users WHERE name LIKE '%!') AS names`
  await db.close()
  const counts = JSON.stringify(Object.values(row ?? {}))
  if (counts === '[0,0,0,0]') return 'before'
  return counts === `[1,1,1,${users}]` ? 'after' : 'between'
}

async function openUndamaged(path: string) {
  const db = await openDatabase({ file: path })
  const damage = await damageOf(db)
  if (damage.length > 0) throw new Error(`${path} is damaged: ${damage.join('; ')}`)
  return db
}
