import { openDatabase } from '#db/driver'
import { emailOf } from '../../internal/testing/database/fill-database.ts'
import { type Answer, mustBe, Visitor } from './tools/client.ts'
import { damageOf } from './damage.ts'
import type { Extent, Verdict } from './tools/fault.ts'
import { count, maximum, ms } from './tools/figures.ts'
import { newFolder, type Server, start } from './tools/servers.ts'

// No workers: guests' requests become jobs, which must not run before they are counted.
const settings = { QUEUE_WORKERS: '0' }
const guests = 12
const users = 4
const longestStartup = 2000

/** Writes that were answered with a 303, and so must be durable. */
interface Acknowledged {
  readonly emails: Set<string>
  /** Each user's last name. */
  readonly names: number[]
  writes: number
}

/** kill -9 during writes of two kinds: inserted rows, and one row that is updated again and again. */
export async function killed({ quick }: Extent): Promise<readonly Verdict[]> {
  const rounds = quick ? 10 : 200
  const folder = newFolder()
  const acknowledged: Acknowledged = { emails: new Set(), names: [], writes: 0 }
  const counts = { lost: 0, sound: 0 }
  const startupTimes: number[] = []
  let server = await start({ folder, settings })
  const visitors = await registerVisitors(server)
  for (let round = 0; round < rounds; round++) {
    // A random number of writes, so that the kill does not always hit the same point of a commit.
    await writeUntilKilled(
      server,
      visitors,
      acknowledged,
      acknowledged.writes + 100 + Math.floor(Math.random() * 50),
    )
    server = await start({ folder, settings })
    startupTimes.push(server.startupTime)
    counts.lost += await countLost(server, acknowledged)
    counts.sound += await countSound(server)
  }
  await server.stop()
  return [
    {
      fault: `kill -9 under load, ${rounds} rounds`,
      promise: 'no acknowledged write lost, integrity_check ok each time, ready again within 2 s',
      figures:
        `${count(acknowledged.writes)} acknowledged, ${counts.lost} lost; integrity_check ok ${counts.sound} times; ` +
        `ready again after ${ms(maximum(startupTimes))} at most`,
      isKept:
        counts.lost === 0 && counts.sound === rounds && maximum(startupTimes) <= longestStartup,
    },
  ]
}

async function registerVisitors(server: Server): Promise<Visitor[]> {
  const visitors = Array.from({ length: users }, () => new Visitor(server))
  for (const [n, visitor] of visitors.entries()) await visitor.register(emailOf(n), '0')
  return visitors
}

/** Writes concurrently, kills the server once `writes` writes are acknowledged, and waits for the pending requests. */
async function writeUntilKilled(
  server: Server,
  visitors: readonly Visitor[],
  acknowledged: Acknowledged,
  writesBeforeKill: number,
): Promise<void> {
  let isKilled = false
  const acknowledge = () => {
    acknowledged.writes += 1
    if (acknowledged.writes < writesBeforeKill || isKilled) return
    isKilled = true
    void server.kill()
  }
  const isOver = () => isKilled
  await Promise.all([
    ...visitors.map((visitor, n) =>
      rename(visitor, n, { server, acknowledged, acknowledge, isOver }),
    ),
    ...Array.from({ length: guests }, () =>
      requestResets({ server, acknowledged, acknowledge, isOver }),
    ),
  ])
  await server.ended
}

interface WriteContext {
  readonly server: Server
  readonly acknowledged: Acknowledged
  readonly acknowledge: () => void
  readonly isOver: () => boolean
}

async function rename(visitor: Visitor, user: number, context: WriteContext): Promise<void> {
  const { server, acknowledged, acknowledge, isOver } = context
  visitor.port = server.port
  while (!isOver()) {
    const name = (acknowledged.names[user] ?? 0) + 1
    if (!(await isAcknowledged(() => visitor.rename(String(name), emailOf(user)), isOver))) return
    acknowledged.names[user] = name
    acknowledge()
  }
}

async function requestResets({
  server,
  acknowledged,
  acknowledge,
  isOver,
}: WriteContext): Promise<void> {
  while (!isOver()) {
    // Each guest has a different address: an address may ask five times a minute.
    const guest = new Visitor(server)
    const email = `${crypto.randomUUID()}@example.com`
    const isWritten = await isAcknowledged(() => guest.post('/forgot-password', { email }), isOver)
    guest.leave()
    if (!isWritten) return
    acknowledged.emails.add(email)
    acknowledge()
  }
}

/** Whether the answer was a 303. False for a request cut off by the kill; throws for any other answer. */
async function isAcknowledged(ask: () => Promise<Answer>, isOver: () => boolean): Promise<boolean> {
  try {
    mustBe(303, await ask())
    return true
  } catch (error) {
    if (isOver()) return false
    throw error
  }
}

/** Returns how many acknowledged writes are missing. Writes that were cut off may or may not be there. */
async function countLost({ database }: Server, { emails, names }: Acknowledged): Promise<number> {
  const db = await openDatabase({ file: database })
  const jobs = await db.all<{ email: string }>`
    SELECT payload ->> 'email' AS email FROM jobs WHERE name = 'ResetMail'`
  const users = await db.all<{ name: string }>`SELECT name FROM users ORDER BY id`
  await db.close()
  const mailed = new Set(jobs.map(({ email }) => email))
  const missing = [...emails].filter((email) => !mailed.has(email)).length
  return missing + names.filter((name, n) => Number(users[n]?.name ?? -1) < name).length
}

/** Returns 1 if SQLite finds no fault in the file. */
async function countSound({ database }: Server): Promise<number> {
  const db = await openDatabase({ file: database })
  const damage = await damageOf(db)
  await db.close()
  return damage.length === 0 ? 1 : 0
}
