import { logFailedRead } from '../log/log-database.ts'
import { merged } from './session-merge.ts'
import { hasJustEnded } from './ended-user.ts'
import { hasShownOnce, loggedOut, withoutShownOnce } from './session.ts'
import type { Context } from '../context.ts'
import type { Opened, Taken } from './session-store.ts'

/**
 * Takes what the session shows once for this page: of two concurrent requests only one shows it. If that
 * fails, it stays for the next page.
 */
export async function takeShownOnce(c: Context): Promise<void> {
  const { opened } = c
  if (!opened?.take || !hasShownOnce(opened.session)) return
  const taken = await takenFrom(c, opened)
  // A guest's page shows nothing that was meant for the user whose login has ended.
  const shows = hasJustEnded(c) ? loggedOut(taken.shows) : taken.shows
  // What this request adds to show is not in the row yet.
  c.session = merged(opened.session, c.session, shows)
  c.opened = taken.opened
}

async function takenFrom(c: Context, opened: Opened): Promise<Taken> {
  const session = withoutShownOnce(opened.session)
  const none = { shows: session, opened: { ...opened, session } }
  // The user lookup failed, so this would fail too.
  if (c.failure || !opened.take) return none
  try {
    return await opened.take()
  } catch (error) {
    logFailedRead(c, error, 'what the session shows once could not be taken')
    return none
  }
}
