import { copyFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '#db/driver'
import { damageOf } from './damage.ts'
import type { Extent, Verdict } from './tools/fault.ts'
import { count } from './tools/figures.ts'
import { createFilledDatabase } from './tools/filled-database.ts'
import { killPrefix, listKillPoints, spread } from './tools/kill-points.ts'
import { newFolder, run } from './tools/servers.ts'
import { need } from './tools/system-tools.ts'

const users = { old: 2, new: 5000 }

// System calls that name a file; their exact names differ between platforms.
const renameCalls = '/^(rename|link)'

/**
 * kill -9 when a restore makes its nth system call to the disk, for points spread over all calls, and for each of the
 * last.
 */
export async function restore({ quick }: Extent): Promise<readonly Verdict[]> {
  const strace = need('strace')
  const { archive, createFolder } = await prepareRestore()
  const args = ['restore', archive]
  const runRestore = (launcher: readonly string[]) =>
    run(args, { folder: createFolder(), launcher })
  const writePoints = await listKillPoints(strace, runRestore)
  const renamePoints = await listKillPoints(strace, runRestore, renameCalls)
  const points = [
    ...spread(writePoints, quick ? 12 : 60),
    ...writePoints.slice(-4),
    ...renamePoints,
  ]
  const counts = { old: 0, new: 0, between: 0 }
  let killedCount = 0
  let finishedCount = 0
  for (const point of points) {
    const folder = createFolder()
    const { signal } = await run(args, { folder, launcher: killPrefix(strace, point) })
    if (signal === 'SIGKILL') killedCount++
    counts[await stateOf(folder)]++
    const { code } = await run(args, { folder })
    if (code === 0 && (await stateOf(folder)) === 'new' && isTidy(folder)) finishedCount++
  }
  return [
    {
      fault: `kill -9 during a restore of ${count(users.new)} users over ${users.old}, at ${points.length} points`,
      promise:
        'the old database or the new one, whole; the next run does it all, and leaves nothing',
      figures: `${killedCount} killed: ${counts.old} old, ${counts.new} new, ${counts.between} between; ${finishedCount} finished by the next run`,
      isKept:
        killedCount === points.length && counts.between === 0 && finishedCount === points.length,
    },
  ]
}

/** Returns a backup, and a function that creates a folder with another database in it. */
async function prepareRestore(): Promise<{ archive: string; createFolder: () => string }> {
  const { folder } = await createFilledDatabase(users.new)
  const { code, stderr } = await run(['backup', 'app.tar'], { folder })
  if (code !== 0) throw new Error(`The backup was not made: ${stderr}`)
  const { database } = await createFilledDatabase(users.old)
  const createFolder = () => {
    const folder = newFolder()
    copyFileSync(database, join(folder, 'app.db'))
    return folder
  }
  return { archive: join(folder, 'app.tar'), createFolder }
}

async function stateOf(folder: string): Promise<'old' | 'new' | 'between'> {
  const db = await openDatabase({ file: join(folder, 'app.db') })
  const damage = await damageOf(db)
  const row = await db.first<{ users: number; logins: number; browsers: number }>`
    SELECT
      (SELECT count(*) FROM users) AS users,
      (SELECT count(*) FROM logins) AS logins,
      (SELECT count(*) FROM browsers) AS browsers`
  await db.close()
  const hasRows = (number: number) =>
    damage.length === 0 && Object.values(row ?? {}).every((rows) => rows === number)
  if (hasRows(users.old)) return 'old'
  return hasRows(users.new) ? 'new' : 'between'
}

/** Whether the folder contains only the database, and the earlier ones kept by restores. */
function isTidy(folder: string): boolean {
  return readdirSync(folder).every((name) => /^app\.db(\.before-restore-\w+)?$/.test(name))
}
