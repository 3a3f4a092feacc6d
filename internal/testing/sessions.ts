import { appName } from '../../web/contract/name.ts'
import { SessionTable } from '../http/session/session-table.ts'
import type { Db } from '../db/db.ts'
import type { Session } from '../http/session/session.ts'
import type { Browser } from './browser.ts'
import type { TestApp } from './test-app.ts'

const cookie = `${appName}_session`

/** The session in the row that the browser's cookie names. */
export async function storedSession(app: TestApp, browser: Browser): Promise<Session> {
  const opened = await new SessionTable(app).open(`${cookie}=${sessionCookieOf(browser)}`)
  return opened.session
}

/** The text of the cookie; empty when the browser has none. */
export function sessionCookieOf(browser: Browser): string {
  return browser.cookies.get(cookie) ?? ''
}

/** A browser of an app with the cookies that another has now, there or at another app of the same service. */
export function copyOf(app: TestApp, { cookies }: Browser): Browser {
  const copy = app.browser()
  for (const [name, value] of cookies) copy.cookies.set(name, value)
  return copy
}

/** From here on no session can be read, until `showSessions`. */
export async function hideSessions(db: Db): Promise<void> {
  await db.run`ALTER TABLE sessions RENAME TO hidden_sessions`
}

export async function showSessions(db: Db): Promise<void> {
  await db.run`ALTER TABLE hidden_sessions RENAME TO sessions`
}
