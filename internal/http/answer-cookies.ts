import { dropOneWaiting } from '../domain/logins/hold-login.ts'
import { failed } from './refusals.ts'
import { browserCookie } from './session/browser-cookie.ts'
import { formCookie, formCookieAfter, formCookieOfGone } from './session/form-cookie.ts'
import { languageCookie } from './session/language-cookie.ts'
import { emptySession, type Session } from './session/session.ts'
import type { Answer } from './answer.ts'
import type { Context } from './context.ts'
import type { SessionStore } from './session/session-store.ts'

/** The answer with its cookies, once what it left in the session is kept: without that it would be a lie. */
export async function withCookies(
  c: Context,
  sessions: SessionStore,
  made: Answer,
): Promise<Answer> {
  const { opened, session } = c
  // What a page asks for by itself, and what only looks, may be answered after what the person has asked for since: it
  // changes no session.
  if (!opened || !c.isVisit) return made
  if (c.keepsCookie) return withFormCookie(c, made)
  // Who could not be looked up is still logged in.
  if (c.failure && session === opened.session) return made
  try {
    const { waiting } = opened.session
    // A cookie of before could be sent again.
    if (waiting !== undefined && waiting !== session.waiting) await dropOneWaiting(c.app, waiting)
    const own = made.cookies ?? ownCookies(c, opened.session)
    const isReplaced = sessions.isReplaced(opened, c.came)
    const set = await sessions.close(opened, session, c)
    const done = { answer: { ...made, cookies: own }, before: opened.session, after: session }
    // Else who presses again has by now what is to be looked at anew.
    if (!isReplaced) c.settlePress?.(done)
    return { ...made, cookies: set === undefined ? own : [set, ...own] }
  } catch (error) {
    c.session = emptySession
    c.opened = undefined
    return failed(c, error)
  }
}

/** All but the session's. */
function ownCookies(c: Context, before: Session): string[] {
  const all = [browserSet(c, before), languageSet(c), formCookieAfter(c)]
  return all.filter((cookie) => cookie !== undefined)
}

/** Each login that is made sets the browser's cookie, or renews it (spec: Browser). */
function browserSet(c: Context, before: Session): string | undefined {
  const { login } = c.session
  if (!login || login.id === before.login?.id) return undefined
  return browserCookie(c.app.config, c.browser.id)
}

/** What was chosen, or goes with the account, is kept in the browser too, for when nobody is logged in. */
function languageSet({ app, languageOfChoice, languageInCookie }: Context): string | undefined {
  if (languageOfChoice === undefined || languageOfChoice === languageInCookie) return undefined
  return languageCookie(app.config, languageOfChoice)
}

/** What became of a form is told all the same. */
function withFormCookie(c: Context, made: Answer): Answer {
  const told = formCookie(c, made) ?? formCookieOfGone(c, made)
  return told === undefined ? made : { ...made, cookies: [...(made.cookies ?? []), told] }
}
