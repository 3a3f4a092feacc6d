import { CommitInDoubt, DatabaseBusy } from '../db/db.ts'
import { dropWaiting } from '../domain/logins/hold-login.ts'
import { answerFailure } from './refusals.ts'
import { browserCookie } from './session/browser-cookie.ts'
import { formCookie, formCookieAfter, formCookieOfGone } from './session/form-cookie.ts'
import { languageCookie } from './session/language-cookie.ts'
import { emptySession, type Session } from './session/session.ts'
import type { Answer } from './answer.ts'
import type { Context } from './context.ts'
import type { SessionStore } from './session/session-store.ts'

/** Adds its cookies to the answer. The session is saved first: if that fails, so does the request. */
export async function withCookies(
  c: Context,
  sessions: SessionStore,
  answer: Answer,
): Promise<Answer> {
  const { opened, session } = c
  // A page's own requests may be answered after what the person asked for later, so they change no session.
  if (!opened || !c.isVisit) return answer
  if (c.keepsCookie) return withFormCookie(c, answer)
  // The user lookup failed, and the user may still be logged in: leave the cookies as they are.
  if (c.failure && session === opened.session) return answer
  try {
    const { waiting } = opened.session
    // The old cookie still names the waiting login and could be replayed: delete that login's row.
    if (waiting !== undefined && waiting !== session.waiting) await dropWaiting(c.app, waiting)
    const own = answer.cookies ?? ownCookies(c, opened.session)
    const isReplaced = sessions.isReplaced(opened, c.arrivedAt)
    const sessionCookie = await sessions.close(opened, session, c)
    const outcome = { answer: { ...answer, cookies: own }, before: opened.session, after: session }
    // If another request has replaced the session meanwhile, this answer must not be repeated.
    if (!isReplaced) c.settlePress?.(outcome)
    return { ...answer, cookies: sessionCookie === undefined ? own : [sessionCookie, ...own] }
  } catch (error) {
    c.session = emptySession
    c.opened = undefined
    return answerFailure(c, errorAfterChange(c, error))
  }
}

/** A form's change is already made when its session cannot be saved: it must not be sent again blindly. */
function errorAfterChange({ method, isRefused }: Context, error: unknown): unknown {
  const isChanged = method !== 'GET' && !isRefused
  return isChanged && error instanceof DatabaseBusy ? new CommitInDoubt(error) : error
}

/** Returns the cookies of an answer other than the session's. */
function ownCookies(c: Context, before: Session): string[] {
  const cookies = [newBrowserCookie(c, before), newLanguageCookie(c), formCookieAfter(c)]
  return cookies.filter((cookie) => cookie !== undefined)
}

/** Sets or renews the browser's cookie at every new login (spec: Browser). */
function newBrowserCookie(c: Context, before: Session): string | undefined {
  const { login } = c.session
  if (!login || login.id === before.login?.id) return undefined
  return browserCookie(c.app.config, c.browser.id)
}

/**
 * Keeps the chosen language, or the account's, in the browser too, for when nobody is logged in. A choice that is made
 * again holds for another year.
 */
function newLanguageCookie(c: Context): string | undefined {
  const { app, languageOfChoice, languageInCookie, chosenLanguage } = c
  if (languageOfChoice === undefined) return undefined
  if (languageOfChoice === languageInCookie && chosenLanguage === undefined) return undefined
  return languageCookie(app.config, languageOfChoice)
}

/** Adds a separate cookie for a form's outcome, and a language it chose, to an answer that leaves the session alone. */
function withFormCookie(c: Context, answer: Answer): Answer {
  const ofForm = formCookie(c, answer) ?? formCookieOfGone(c, answer)
  const ofLanguage = c.chosenLanguage === undefined ? undefined : newLanguageCookie(c)
  const cookies = [ofForm, ofLanguage].filter((cookie) => cookie !== undefined)
  return cookies.length === 0
    ? answer
    : { ...answer, cookies: [...(answer.cookies ?? []), ...cookies] }
}
