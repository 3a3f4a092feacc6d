import { textOf } from '../body/fields.ts'
import { Refusal } from '../answer.ts'
import { allowedMethods, type RouteMatch, type Route } from '../router.ts'
import type { Context } from '../context.ts'

/** Returns the route for the request's method, or for a form's `_method`. */
export function routeAt(c: Context, match: RouteMatch): Route {
  const named = c.fields && mayNameMethod(c, match) ? textOf(c.fields, '_method').toUpperCase() : ''
  const route = match.routes.get(namedMethods.includes(named) ? named : c.method)
  if (route) return route
  throw new Refusal(405, { Allow: allowedMethods(match) })
}

/** Whether a posted form may name another method. */
export function mayNameMethod({ method }: Context, { routes }: RouteMatch): boolean {
  return method === 'POST' && namedMethods.some((name) => routes.has(name))
}

/** Methods that plain HTML forms cannot send, and so name in `_method` (contract: Names). */
const namedMethods: readonly string[] = ['PUT', 'PATCH', 'DELETE']
