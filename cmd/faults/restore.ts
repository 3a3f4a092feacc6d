import { copyFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '#db/driver'
import { damageOf } from './damage.ts'
import type { Extent, Verdict } from './tools/fault.ts'
import { count } from './tools/figures.ts'
import { filled } from './tools/filled.ts'
import { killedAt, pointsOf, spread } from './tools/kill-points.ts'
import { newFolder, run } from './tools/servers.ts'
import { need } from './tools/system-tools.ts'

const users = { old: 2, new: 5000 }

// System calls that name a file; their exact names differ between platforms.
const naming = '/^(rename|link)'

/**
 * kill -9 when a restore makes its nth system call to the disk, for points spread over all calls, and for each of the
 * last.
 */
export async function restore({ quick }: Extent): Promise<readonly Verdict[]> {
  const strace = need('strace')
  const { archive, place } = await prepared()
  const words = ['restore', archive]
  const whole = (through: readonly string[]) => run(words, { folder: place(), through })
  const written = await pointsOf(strace, whole)
  const named = await pointsOf(strace, whole, naming)
  const at = [...spread(written, quick ? 12 : 60), ...written.slice(-4), ...named]
  const found = { old: 0, new: 0, between: 0 }
  let cut = 0
  let finished = 0
  for (const point of at) {
    const folder = place()
    const { signal } = await run(words, { folder, through: killedAt(strace, point) })
    if (signal === 'SIGKILL') cut++
    found[await stateOf(folder)]++
    const { code } = await run(words, { folder })
    if (code === 0 && (await stateOf(folder)) === 'new' && isTidy(folder)) finished++
  }
  return [
    {
      fault: `kill -9 during a restore of ${count(users.new)} users over ${users.old}, at ${at.length} points`,
      promise:
        'the old database or the new one, whole; the next run does it all, and leaves nothing',
      measured: `${cut} killed: ${found.old} old, ${found.new} new, ${found.between} between; ${finished} finished by the next run`,
      isKept: cut === at.length && found.between === 0 && finished === at.length,
    },
  ]
}

/** Returns a backup, and a function that creates a folder with another database in it. */
async function prepared(): Promise<{ archive: string; place: () => string }> {
  const { folder } = await filled(users.new)
  const { code, stderr } = await run(['backup', 'app.tar'], { folder })
  if (code !== 0) throw new Error(`The backup was not made: ${stderr}`)
  const { database } = await filled(users.old)
  const place = () => {
    const folder = newFolder()
    copyFileSync(database, join(folder, 'app.db'))
    return folder
  }
  return { archive: join(folder, 'app.tar'), place }
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
  const isOf = (number: number) =>
    damage.length === 0 && Object.values(row ?? {}).every((rows) => rows === number)
  if (isOf(users.old)) return 'old'
  return isOf(users.new) ? 'new' : 'between'
}

/** Whether the folder contains only the database, and the earlier ones kept by restores. */
function isTidy(folder: string): boolean {
  return readdirSync(folder).every((name) => /^app\.db(\.before-restore-\w+)?$/.test(name))
}
