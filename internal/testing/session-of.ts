import { sessionCookie } from '../http/session/session-cookie.ts'
import type { Session } from '../http/session/session.ts'
import type { Browser } from './browser.ts'
import type { TestApp } from './test-app.ts'

/** Returns the session in the browser's cookie. */
export function sessionOf(app: TestApp, browser: Browser): Session {
  const header = [...browser.cookies].map((cookie) => cookie.join('=')).join('; ')
  return sessionCookie(app).open(header).session
}
