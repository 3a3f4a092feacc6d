import { appName } from '../../web/contract/name.ts'
import { SessionTable } from '../http/session/session-table.ts'
import type { Db } from '../db/db.ts'
import type { Session } from '../http/session/session.ts'
import type { Browser } from './browser.ts'
import type { TestApp } from './test-app.ts'

const cookie = `${appName}_session`

/** Returns the stored session that the browser's cookie names. */
export async function storedSession(app: TestApp, browser: Browser): Promise<Session> {
  const opened = await new SessionTable(app).open(`${cookie}=${sessionCookieOf(browser)}`)
  return opened.session
}

/** Returns the cookie's text; empty if the browser has none. */
export function sessionCookieOf(browser: Browser): string {
  return browser.cookies.get(cookie) ?? ''
}

/** Returns a browser with the current cookies of another one, for the same app or another one of the same service. */
export function copyOf(app: TestApp, { cookies }: Browser): Browser {
  const copy = app.browser()
  for (const [name, value] of cookies) copy.cookies.set(name, value)
  return copy
}

/** Makes reading sessions fail from now on, until `showSessions`. */
export async function hideSessions(db: Db): Promise<void> {
  await db.run`ALTER TABLE sessions RENAME TO hidden_sessions`
}

export async function showSessions(db: Db): Promise<void> {
  await db.run`ALTER TABLE hidden_sessions RENAME TO sessions`
}
