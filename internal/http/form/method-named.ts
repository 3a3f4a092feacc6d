import { textOf } from '../body/fields.ts'
import { Refusal } from '../answer.ts'
import { allowedMethods, type Place, type Route } from '../router.ts'
import type { Context } from '../context.ts'

/** Returns the route for the request's method, or for a form's `_method`. */
export function routeAt(c: Context, place: Place): Route {
  const named = c.fields && isForOther(c, place) ? textOf(c.fields, '_method').toUpperCase() : ''
  const route = place.routes.get(posted.includes(named) ? named : c.method)
  if (route) return route
  throw new Refusal(405, { Allow: allowedMethods(place) })
}

/** Whether a posted form may name another method. */
export function isForOther({ method }: Context, { routes }: Place): boolean {
  return method === 'POST' && posted.some((other) => routes.has(other))
}

/** Methods that plain HTML forms cannot send, and so name in `_method` (contract: Names). */
const posted: readonly string[] = ['PUT', 'PATCH', 'DELETE']
