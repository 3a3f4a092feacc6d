import { makeAddress } from '../base/network/address.ts'
import { findVisitor } from '../domain/logins/check-login.ts'
import { type Answer, Refusal } from './answer.ts'
import { withCookies } from './answer-cookies.ts'
import { api } from './api/api.ts'
import { assetAnswer, refusedAt } from './page/asset.ts'
import { readForm } from './body/form-body.ts'
import { refuseLongBody } from './body/form-limits.ts'
import { compressed } from './page/compress.ts'
import { type Responder, type Incoming, methodOf, pathOf } from './arrived.ts'
import { Context } from './context.ts'
import { whyForeign } from './csrf.ts'
import { failed } from './refusals.ts'
import type { Handler } from './form/form.ts'
import { type Guarded, hasUser, sentByAnother, sentToLogIn, turnedAway } from './guards.ts'
import { isLook } from './head-or-prefetch.ts'
import { isApi, standingHeaders } from './headers.ts'
import { hasWaited, isLate } from './form/late.ts'
import { ownPage, pageAt } from './form/own-page.ts'
import { anotherBuild } from './page/another-build.ts'
import { logFailedRead } from './log/log-database.ts'
import { logForeign } from './log/log-failure.ts'
import { mayNameMethod, routeAt } from './form/method-named.ts'
import { Presses } from './form/presses.ts'
import { logRequest } from './log/request-log.ts'
import { withUnknownPasskey } from './passkey-exchange.ts'
import { type ApiRoute, isForUsers, type RouteMatch, type Route, router } from './router.ts'
import { sessionCookie } from './session/session-cookie.ts'
import type { SessionStore } from './session/session-store.ts'
import { SessionTable } from './session/session-table.ts'
import { loggedOut } from './session/session.ts'
import { warnOfUntrusted } from './log/untrusted-peer.ts'
import { readPast } from './body/upload.ts'
import type { App } from '../app.ts'

export type Serve = (incoming: Incoming) => Promise<Answer>

/** Builds the request handler. The order of steps is decided in this file only. */
export function serve(app: App, routes: readonly (Route | ApiRoute)[]): Serve {
  const addressOf = makeAddress(app.config.trustedProxies, warnOfUntrusted(app))
  const sessions =
    app.config.sessionStore === 'database' ? new SessionTable(app) : sessionCookie(app)
  const headers = standingHeaders(app)
  const answerPage = pages(
    app,
    routes.filter((route) => 'who' in route),
    sessions,
  )
  const answerApi = api(
    app,
    routes.filter((route) => 'ability' in route),
  )

  return async (incoming) => {
    const started = performance.now()
    const address = addressOf(incoming.peer, incoming.header('x-forwarded-for'))
    const respond = isApi(pathOf(incoming)) ? answerApi : answerPage
    const { c, answer } = await respond(incoming, address)
    logRequest(c, answer.status, performance.now() - started)
    const standing = headers({ id: c.id, nonce: c.nonceUsed, path: c.path })
    return compressed(c, { ...answer, headers: { ...standing, ...answer.headers } })
  }
}

/** Answers requests from browsers: for pages, forms and files. */
function pages(app: App, routes: readonly Route[], sessions: SessionStore): Responder<Context> {
  const matchPath = router(routes)
  const presses = new Presses(app)
  const pageAtAddress = (c: Context, address: string) =>
    pageAt(c, address, matchPath(address.replace(/[?#].*/, '')))
  return async (incoming, address) => {
    const match = matchPath(pathOf(incoming))
    const unasked = match?.routes.get(methodOf(incoming))?.unasked
    const c = new Context(app, incoming, { address, params: match?.params, unasked })
    c.pageAt = pageAtAddress
    const answer = await withCookies(c, sessions, await answered(c, match, { sessions, presses }))
    // A press not settled by now did nothing: repeats must not wait for it.
    c.settlePress?.()
    return { c, answer }
  }
}

async function answered(
  c: Context,
  match: RouteMatch | undefined,
  { sessions, presses }: { sessions: SessionStore; presses: Presses },
): Promise<Answer> {
  try {
    const asset = assetAnswer(c)
    if (asset) return asset
    const foreign = whyForeign(c)
    const refused = foreign === undefined && (await formFault(c, match))
    // Before anything is refused, since the error page has a header that shows the user.
    await readSession(c, sessions)
    await readVisitor(c)
    c.keepsCookie = isLate(c) || foreign !== undefined || (!c.visitor && isUnseen(c))
    if (foreign !== undefined) throw refusedForeign(c, foreign)
    if (refused) throw refused.error
    const stale = anotherBuild(c)
    if (stale) {
      // The document loaded instead sets the cookie.
      c.keepsCookie = true
      return stale
    }
    if (!match) throw refusedAt(c)
    const route = routeAt(c, match)
    c.ownPage = ownPage(c, match, route)
    return (await presses.answered(c)) ?? (await withUnknownPasskey(c, await routed(c, route)))
  } catch (error) {
    c.keepsCookie ||= hasWaited(c)
    return failed(c, error)
  }
}

/** Runs the guards, then the handler: one for users is only called with a user. */
async function routed(c: Context, route: Route): Promise<Answer> {
  const refusal = sentByAnother(c)
  if (refusal) return turned(c, route, refusal)
  if (!isForUsers(route)) return guarded(c, route)
  return hasUser(c) ? guarded(c, route) : turned(c, route, sentToLogIn(c))
}

async function guarded<C extends Context>(
  c: C,
  route: Pick<Route, 'body'> & { who: Guarded<C>; handler: Handler<C> },
): Promise<Answer> {
  const refusal = turnedAway(c, route.who)
  return refusal ? turned(c, route, refusal) : route.handler(c)
}

async function turned(c: Context, { body }: Pick<Route, 'body'>, refusal: Answer): Promise<Answer> {
  c.isRefused = true
  if (body === 'upload') {
    await readPast(c)
    c.keepsCookie ||= hasWaited(c)
  }
  return refusal
}

function refusedForeign(c: Context, why: string): Refusal {
  logForeign(c, why)
  return new Refusal(403)
}

async function formFault(
  c: Context,
  match: RouteMatch | undefined,
): Promise<{ readonly error: unknown } | undefined> {
  try {
    await readSentForm(c, match)
    return undefined
  } catch (error) {
    return { error }
  }
}

/**
 * Reads the form, if there is one. That may take half a minute, and the form counts for whoever is logged in
 * once it has arrived (security rule 21).
 */
async function readSentForm(c: Context, match: RouteMatch | undefined): Promise<void> {
  const route = match?.routes.get(c.method)
  if (route?.body) return
  if (c.method !== 'GET' && match && (route || mayNameMethod(c, match)))
    c.fields = await readForm(c)
  else refuseLongBody(c)
}

/** Opens the session. If that fails, a GET goes on as a guest's, as in `readVisitor`. */
async function readSession(c: Context, sessions: SessionStore): Promise<void> {
  try {
    c.opened = await sessions.open(c.header('cookie'))
    c.session = c.opened.session
  } catch (error) {
    // A form is refused: its changes to the session could not be saved.
    if (c.method !== 'GET') throw error
    c.failure = error
    logFailedRead(c, error, 'the session could not be read')
  }
}

/** Finds the session's user, or leaves the request a guest's (spec: Route guards 5). */
async function readVisitor(c: Context): Promise<void> {
  const { login } = c.session
  if (!login) return
  try {
    c.visitor = await findVisitor(c.app, login, { isVisit: c.isVisit, request: c.id })
    if (!c.visitor) c.session = loggedOut(c.session)
  } catch (error) {
    c.failure = error
    logFailedRead(c, error, 'the user could not be looked up')
  }
}

/** Whether nobody sees the answer: it cannot tell that a login ended, and must not drop a newer session. */
function isUnseen(c: Context): boolean {
  return isLook(c) || (c.method === 'GET' && !c.isShown)
}
