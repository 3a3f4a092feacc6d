import { apiErrors, apiWords } from '../../../web/contract/words/api.ts'
import { type Caller, checkToken } from '../../domain/tokens/check-token.ts'
import { type Answer, json, noContent, Refusal } from '../answer.ts'
import { corsHeaders, isPreflight, preflightHeaders } from './cors.ts'
import { refusalOf } from '../refusals.ts'
import { refuseLongBody } from '../body/form-limits.ts'
import { logCallRefused } from '../log/log-failure.ts'
import { allowedMethods, type ApiRoute, type RouteMatch, router } from '../router.ts'
import { Call } from './call.ts'
import { tooManyCalls } from './failed-call.ts'
import { unauthorized } from './unauthorized.ts'
import type { App } from '../../app.ts'
import { type Responder, pathOf } from '../arrived.ts'

/**
 * Answers all requests of the API as JSON. Nothing of a browser applies: no cookie is read or set, there is
 * no session and no page protocol, and any origin may send (spec: JSON API, Page delivery 7).
 */
export function api(app: App, rows: readonly ApiRoute[]): Responder<Call> {
  const matchPath = router(rows)
  return async (incoming, address) => {
    const match = matchPath(pathOf(incoming))
    const c = new Call(app, incoming, { address, params: match?.params })
    const answer = await answerCall(c, match)
    const headers = { ...corsHeaders(c), ...rateHeaders(c.caller), ...answer.headers }
    return { c, answer: { ...answer, headers } }
  }
}

async function answerCall(c: Call, match: RouteMatch<ApiRoute> | undefined): Promise<Answer> {
  try {
    // At any path, so that a page that mistyped one can read the 404.
    if (isPreflight(c))
      return noContent(preflightHeaders(c, match ? methodsAt(match) : 'GET, HEAD'))
    if (!match) throw new Refusal(404)
    if (c.method === 'OPTIONS') return noContent({ Allow: methodsAt(match) })
    // Before the token is checked.
    refuseLongBody(c)
    return await answerIfAllowed(c, routeAt(c, match))
  } catch (error) {
    const { refusal, words } = refusalOf(c, error)
    const { status, headers, explanation } = refusal
    return json(status, { message: explanation ?? apiMessage(words) }, { ...headers })
  }
}

function routeAt(c: Call, match: RouteMatch<ApiRoute>): ApiRoute {
  const route = match.routes.get(c.method)
  if (!route) throw new Refusal(405, { Allow: methodsAt(match) })
  return route
}

function methodsAt(match: RouteMatch<ApiRoute>): string {
  return `${allowedMethods(match)}, OPTIONS`
}

async function answerIfAllowed(c: Call, route: ApiRoute): Promise<Answer> {
  if (route.ability === null) return route.handler(c)
  const token = tokenIn(c.header('authorization'))
  const outcome = await checkToken(c.app, token, { needed: route.ability, request: c.id })
  if (outcome.result !== 'unknown') c.caller = outcome.caller
  switch (outcome.result) {
    case 'unknown':
      return unauthorized(c, token === '' ? 'no token' : 'unknown token')
    case 'throttled':
      return tooManyCalls(c, outcome.seconds)
    case 'lacks':
      logCallRefused(c, `lacks ${route.ability}`)
      return json(403, { message: apiWords.lacks(route.ability) })
    case 'allowed':
      return route.handler(c, outcome.caller.token)
  }
}

/** Returns the token of `Bearer <token>`: scheme in any case (RFC 9110, 11.1), then spaces (11.4); or ''. */
function tokenIn(authorization = ''): string {
  return /^bearer +([^ \t,]+)$/i.exec(authorization)?.[1] ?? ''
}

/** Returns the rate limit headers of every answer to a counted request, including failures. */
function rateHeaders(caller: Caller | undefined): Record<string, string> {
  if (!caller) return {}
  const { limit, remaining } = caller.rate
  return { 'X-RateLimit-Limit': String(limit), 'X-RateLimit-Remaining': String(remaining) }
}

/** Returns the body and headers, beside the standing ones, of an API request refused before it gets here. */
export function apiRefusal(status: number) {
  const body = JSON.stringify({ message: apiMessage(status) })
  return { body, 'Content-Type': 'application/json', Vary: 'Origin' }
}

function apiMessage(words: number | string): string {
  const messages: Readonly<Record<string, string>> = apiErrors
  return messages[words] ?? apiErrors[400]
}
