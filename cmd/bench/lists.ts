import { openDatabase } from '#db/driver'
import { randomBytes } from 'node:crypto'
import type { Tx } from '../../internal/db/db.ts'
import { requestRate, startFilled } from './pages.ts'
import type { Programs } from './programs.ts'
import { compare, type Comparison, type Row } from './table.ts'

const rounds = 9
const many = 10_000
const few = 20
const logins = 100

const json = { 'X-Page': 'true' }

/** The IDs of this part's users. */
const withFew = 1
const withUnread = 2
const withRead = 3

/** Compares pages of an account with long lists to one with short lists. */
export async function lists(programs: Programs): Promise<readonly Row[]> {
  const { app, cookies, database } = await startFilled(programs, 3, 3)
  await addRows(database)
  const page = (user: number, path: string) => () =>
    requestRate(app, { path, cookies: cookies.slice(user - 1, user), headers: json })
  const comparisons: readonly Comparison[] = [
    {
      title: `a page with ${many.toLocaleString('en')} unread`,
      referenceName: 'with none',
      aim: { least: 0.9 },
      unit: '/s',
      measure: page(withUnread, '/settings/appearance'),
      measureReference: page(withFew, '/settings/appearance'),
    },
    {
      title: `notifications, page 500 of ${many.toLocaleString('en')}`,
      referenceName: `of ${few}`,
      aim: { least: 0.8 },
      unit: '/s',
      measure: page(withRead, '/notifications?page=500'),
      measureReference: page(withFew, '/notifications'),
    },
    {
      title: `the security page with ${logins} logins`,
      referenceName: 'with one',
      unit: '/s',
      measure: page(withFew, '/settings/security'),
      measureReference: page(withRead, '/settings/security'),
    },
  ]
  // The first round lets V8 optimize; its figures are dropped.
  await compare(1, comparisons)
  return compare(rounds, comparisons)
}

async function addRows(file: string): Promise<void> {
  const db = await openDatabase({ file })
  const now = new Date()
  const endsAt = new Date(now.getTime() + 60 * 60 * 1000)
  const notify = (tx: Tx, userId: number, readAt: Date | null) => tx.run`
    INSERT INTO notifications (user_id, kind, data, created_at, read_at)
    VALUES (${userId}, 'password-changed', '{}', ${now}, ${readAt})`
  await db.transaction(async (tx) => {
    for (let n = 0; n < few; n++) await notify(tx, withFew, now)
    for (let n = 0; n < many; n++) await notify(tx, withUnread, null)
    for (let n = 0; n < many; n++) await notify(tx, withRead, now)
    for (let n = 1; n < logins; n++)
      await tx.run`
        INSERT INTO logins (key, user_id, user_agent, address, remember, logged_in_at, last_seen_at, ends_at)
        VALUES (${randomBytes(32)}, ${withFew}, ${`Mozilla/5.0 (X11; Linux x86_64; rv:${n}.0)`}, '192.0.2.1', 0, ${now}, ${now}, ${endsAt})`
  })
  await db.close()
}
