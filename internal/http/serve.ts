import { makeAddress } from '../base/network/address.ts'
import { findVisitor } from '../domain/logins/check-login.ts'
import { type Answer, Refusal } from './answer.ts'
import { withCookies } from './answer-cookies.ts'
import { api } from './api/api.ts'
import { assetAnswer, refusalAt } from './page/asset.ts'
import { readForm } from './body/form-body.ts'
import { refuseLongBody } from './body/form-limits.ts'
import { compress } from './page/compress.ts'
import { type Responder, type Incoming, methodOf, pathOf } from './arrived.ts'
import { Context } from './context.ts'
import { whyForeign } from './csrf.ts'
import { answerFailure } from './refusals.ts'
import type { Handler } from './form/form.ts'
import { type Guarded, hasUser, refuseFormOfAnother, runGuards, sendToLogIn } from './guards.ts'
import { isLook } from './head-or-prefetch.ts'
import { isApi, standingHeaders } from './headers.ts'
import { hasWaited, isLate } from './form/late.ts'
import { ownPage, pageAt } from './form/own-page.ts'
import { reloadAnotherBuild } from './page/another-build.ts'
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
    return compress(c, { ...answer, headers: { ...standing, ...answer.headers } })
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
    const answer = await withCookies(
      c,
      sessions,
      await answerRequest(c, match, { sessions, presses }),
    )
    // A press not settled by now did nothing: repeats must not wait for it.
    c.settlePress?.()
    return { c, answer }
  }
}

async function answerRequest(
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
    if (foreign !== undefined) throw foreignRefusal(c, foreign)
    if (refused) throw refused.error
    const stale = reloadAnotherBuild(c)
    if (stale) {
      // The document loaded instead sets the cookie.
      c.keepsCookie = true
      return stale
    }
    if (!match) throw refusalAt(c)
    const route = routeAt(c, match)
    c.ownPage = ownPage(c, match, route)
    return (
      (await presses.answerAgain(c)) ?? (await withUnknownPasskey(c, await answerByRoute(c, route)))
    )
  } catch (error) {
    c.keepsCookie ||= hasWaited(c)
    return answerFailure(c, error)
  }
}

/** Runs the guards, then the handler: one for users is only called with a user. */
async function answerByRoute(c: Context, route: Route): Promise<Answer> {
  const refusal = refuseFormOfAnother(c)
  if (refusal) return completeRefusal(c, route, refusal)
  if (!isForUsers(route)) return answerIfAllowed(c, route)
  return hasUser(c) ? answerIfAllowed(c, route) : completeRefusal(c, route, sendToLogIn(c))
}

async function answerIfAllowed<C extends Context>(
  c: C,
  route: Pick<Route, 'body'> & { who: Guarded<C>; handler: Handler<C> },
): Promise<Answer> {
  const refusal = runGuards(c, route.who)
  return refusal ? completeRefusal(c, route, refusal) : route.handler(c)
}

/** Notes the refusal, and reads what is left of an upload: a browser reads no answer before it has sent it. */
async function completeRefusal(
  c: Context,
  { body }: Pick<Route, 'body'>,
  refusal: Answer,
): Promise<Answer> {
  c.isRefused = true
  if (body === 'upload') {
    await readPast(c)
    c.keepsCookie ||= hasWaited(c)
  }
  return refusal
}

/** Logs a form from another site, and returns its refusal. */
function foreignRefusal(c: Context, why: string): Refusal {
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
