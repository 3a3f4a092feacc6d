import { makeAddress } from '../base/address.ts'
import { findUser } from '../domain/logins/find-user.ts'
import { type Answer, Refusal } from './answer.ts'
import { assetAnswer, refusedAt } from './asset.ts'
import { readForm } from './body.ts'
import { browserCookie } from './browser-cookie.ts'
import { compressed } from './compress.ts'
import { Context, type Incoming } from './context.ts'
import { isCrossSite } from './csrf.ts'
import { failed } from './failed.ts'
import { textOf } from './fields.ts'
import { standingHeaders } from './headers.ts'
import { anotherBuild } from './page.ts'
import { logRequest } from './request-log.ts'
import { type Place, type Route, router } from './router.ts'
import { sessionCookie } from './session-cookie.ts'
import { loggedOut, type Session } from './session.ts'
import { readPast } from './upload.ts'
import type { App } from '../app.ts'
import type { Who } from './guards.ts'

export type Serve = (incoming: Incoming) => Promise<Answer>

/** Answers requests. This is the one place with an order. */
export function serve(app: App, routes: readonly Route[]): Serve {
  const addressOf = makeAddress(app.config.trustedProxies)
  const cookies = sessionCookie(app)
  const headers = standingHeaders(app.config)
  const placeOf = router(routes)

  return async (incoming) => {
    const started = performance.now()
    const address = addressOf(incoming.peer, incoming.header('x-forwarded-for'))
    const c = new Context(app, incoming, address)
    const opened = cookies.open(incoming.header('cookie'))
    c.session = opened.session
    const place = placeOf(c.path)
    c.unasked = place?.routes.get(c.method)?.unasked ?? false
    const made = await answered(c, place)
    // What a page asks for by itself may be answered after a newer login was: it changes no session.
    const sets = c.isVisit && !c.keepsCookie
    const set = sets ? [cookies.close(opened, c.session), browserSet(c, opened.session)] : []
    logRequest(c, made.status, performance.now() - started)
    return compressed(c, {
      ...made,
      headers: { ...headers(c.nonceUsed, c.path), ...made.headers },
      cookies: set.filter((cookie) => cookie !== undefined),
    })
  }
}

async function answered(c: Context, place: Place | undefined): Promise<Answer> {
  try {
    const read = assetAnswer(c)
    if (read) return read
    // Before anything is refused, since the page that says so has a header with the user in it.
    await readVisitor(c)
    if (isCrossSite(c)) throw new Refusal(403)
    const stale = anotherBuild(c)
    if (stale) return stale
    if (!place) throw refusedAt(c)
    const route = await routeAt(c, place)
    const away = turnedAway(c, route.who)
    if (away && route.upload) await readPast(c)
    return away ?? (await route.handler(c))
  } catch (error) {
    return failed(c, error)
  }
}

/** Each login that is made sets the browser's cookie, or renews it (spec: Browser). */
function browserSet(c: Context, before: Session): string | undefined {
  const { login } = c.session
  if (!login || login.id === before.login?.id) return undefined
  return browserCookie(c.app.config, c.browser.id)
}

/** Finds the user of the session, or leaves the request a guest's (spec: Route guards 5). */
async function readVisitor(c: Context): Promise<void> {
  const { login } = c.session
  if (!login) return
  try {
    c.visitor = await findUser(c.app, login, { isVisit: c.isVisit })
    if (!c.visitor) c.session = loggedOut(c.session)
  } catch (error) {
    c.failure = error
    c.app.log.error('the user could not be looked up', { error })
  }
}

/** The route for the request's method; a form posted with `_method` reaches the one it names. */
async function routeAt(c: Context, { routes, params }: Place): Promise<Route> {
  c.params = params
  let { method } = c
  const isForm = method === 'POST' && !routes.get(method)?.upload
  if (isForm && posted.some((other) => routes.has(other))) {
    c.fields = await readForm(c)
    const named = textOf(c.fields, '_method').toUpperCase()
    if (posted.includes(named)) method = named
  }
  const route = routes.get(method)
  if (route) return route
  const allowed = [...routes.keys()].flatMap((known) =>
    known === 'GET' ? ['GET', 'HEAD'] : [known],
  )
  throw new Refusal(405, { Allow: allowed.join(', ') })
}

/** Methods that plain HTML forms cannot send, and name in `_method` (contract: Names). */
const posted: readonly string[] = ['PUT', 'PATCH', 'DELETE']

function turnedAway(c: Context, who: Who): Answer | undefined {
  for (const guard of who) {
    const answer = guard(c)
    if (answer) return answer
  }
  return undefined
}
