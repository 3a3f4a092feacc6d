import { openDatabase } from '#db/driver'
import { emailOf } from '../../internal/testing/database/fill-database.ts'
import { type Answer, mustBe, Visitor } from './tools/client.ts'
import { damageOf } from './damage.ts'
import type { Extent, Verdict } from './tools/fault.ts'
import { count, most, ms } from './tools/figures.ts'
import { newFolder, type Server, start } from './tools/servers.ts'

// No workers: guests' requests become jobs, which must not run before they are counted.
const settings = { QUEUE_WORKERS: '0' }
const guests = 12
const users = 4
const longestReady = 2000

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
  const tallies = { lost: 0, sound: 0 }
  const ready: number[] = []
  let server = await start({ folder, settings })
  const visitors = await registered(server)
  for (let round = 0; round < rounds; round++) {
    // A random number of writes, so that the kill does not always hit the same point of a commit.
    await load(
      server,
      visitors,
      acknowledged,
      acknowledged.writes + 100 + Math.floor(Math.random() * 50),
    )
    server = await start({ folder, settings })
    ready.push(server.readyAfter)
    tallies.lost += await lost(server, acknowledged)
    tallies.sound += await soundness(server)
  }
  await server.stop()
  return [
    {
      fault: `kill -9 under load, ${rounds} rounds`,
      promise: 'no acknowledged write lost, integrity_check ok each time, ready again within 2 s',
      measured:
        `${count(acknowledged.writes)} acknowledged, ${tallies.lost} lost; integrity_check ok ${tallies.sound} times; ` +
        `ready again after ${ms(most(ready))} at most`,
      isKept: tallies.lost === 0 && tallies.sound === rounds && most(ready) <= longestReady,
    },
  ]
}

async function registered(server: Server): Promise<Visitor[]> {
  const visitors = Array.from({ length: users }, () => new Visitor(server))
  for (const [n, visitor] of visitors.entries()) await visitor.register(emailOf(n), '0')
  return visitors
}

/** Writes concurrently, kills the server once `writes` writes are acknowledged, and waits for the pending requests. */
async function load(
  server: Server,
  visitors: readonly Visitor[],
  acknowledged: Acknowledged,
  until: number,
): Promise<void> {
  let over = false
  const acknowledge = () => {
    acknowledged.writes += 1
    if (acknowledged.writes < until || over) return
    over = true
    void server.kill()
  }
  const isOver = () => over
  await Promise.all([
    ...visitors.map((visitor, n) =>
      rename(visitor, n, { server, acknowledged, acknowledge, isOver }),
    ),
    ...Array.from({ length: guests }, () =>
      askAgain({ server, acknowledged, acknowledge, isOver }),
    ),
  ])
  await server.ended
}

interface Writing {
  readonly server: Server
  readonly acknowledged: Acknowledged
  readonly acknowledge: () => void
  readonly isOver: () => boolean
}

async function rename(visitor: Visitor, user: number, writing: Writing): Promise<void> {
  const { server, acknowledged, acknowledge, isOver } = writing
  visitor.port = server.port
  while (!isOver()) {
    const name = (acknowledged.names[user] ?? 0) + 1
    if (!(await isDone(() => visitor.rename(String(name), emailOf(user)), isOver))) return
    acknowledged.names[user] = name
    acknowledge()
  }
}

async function askAgain({ server, acknowledged, acknowledge, isOver }: Writing): Promise<void> {
  while (!isOver()) {
    // Each guest has a different address: an address may ask five times a minute.
    const guest = new Visitor(server)
    const email = `${crypto.randomUUID()}@example.com`
    const isKept = await isDone(() => guest.post('/forgot-password', { email }), isOver)
    guest.leave()
    if (!isKept) return
    acknowledged.emails.add(email)
    acknowledge()
  }
}

/** Whether the answer was a 303. False for a request cut off by the kill; throws for any other answer. */
async function isDone(ask: () => Promise<Answer>, isOver: () => boolean): Promise<boolean> {
  try {
    mustBe(303, await ask())
    return true
  } catch (error) {
    if (isOver()) return false
    throw error
  }
}

/** Returns how many acknowledged writes are missing. Writes that were cut off may or may not be there. */
async function lost({ database }: Server, { emails, names }: Acknowledged): Promise<number> {
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
async function soundness({ database }: Server): Promise<number> {
  const db = await openDatabase({ file: database })
  const damage = await damageOf(db)
  await db.close()
  return damage.length === 0 ? 1 : 0
}
