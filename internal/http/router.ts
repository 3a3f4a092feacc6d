import { type FixedRouteName, type RouteName, paths } from '../../web/contract/paths.ts'
import type { UsedToken } from '../db/tokens.ts'
import type { Ability } from '../../web/contract/abilities.ts'
import type { Answer } from './answer.ts'
import type { Call } from './api/call.ts'
import type { Context, UserContext } from './context.ts'
import type { Guests, Users } from './guards.ts'
import type { Handler } from './form/form.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A row of the route table. A handler that needs a user cannot stand in a row that lets guests through. */
export type Route = RouteFields &
  (
    | { readonly who: Guests; readonly handler: Handler }
    | { readonly who: Users; readonly handler: Handler<UserContext> }
  )

interface RouteFields {
  readonly method: Method
  readonly name: RouteName
  /** Requested by a page or program on its own: it extends no login, and no login redirects back to it. */
  readonly unasked?: true
  /**
   * A body that the handler reads itself, in place of a form. An `upload` has a file, and may have a
   * `_method`: it is read after the guards, while a form is read before the session is.
   */
  readonly body?: 'upload' | 'report'
  /** The page of the form, if its own path has none: browsers need not send a Referer. */
  readonly page?: FixedRouteName | ((c: Context) => string)
}

export function isForUsers(route: Route): route is Extract<Route, { who: Users }> {
  return route.who.forUsers
}

/** A row of the API's route table: only a token authenticates the caller. */
export type ApiRoute = {
  readonly method: Method
  readonly name: ApiRouteName
} & (
  | {
      /** The ability that the token needs. */
      readonly ability: Ability
      readonly handler: (c: Call, token: UsedToken) => Answer | Promise<Answer>
    }
  | {
      /** Anyone may call it without a token. */
      readonly ability: null
      readonly handler: Handler<Call>
    }
)

export type ApiRouteName = Extract<RouteName, `api.${string}`>

/** The match of a path: its routes by method, and the path parameters. */
export interface RouteMatch<Row = Route> {
  readonly routes: ReadonlyMap<string, Row>
  readonly params: Readonly<Record<string, string>>
}

/** Matches a path, or returns undefined; a path with a parameter that cannot be decoded matches nothing. */
export function router<Row extends Route | ApiRoute>(
  routes: readonly Row[],
): (path: string) => RouteMatch<Row> | undefined {
  const fixed = new Map<string, Map<string, Row>>()
  const patterns: { pattern: RegExp; routes: Map<string, Row> }[] = []
  for (const [path, list] of Map.groupBy(routes, (route) => paths[route.name])) {
    const byMethod = new Map<string, Row>(list.map((route) => [route.method, route]))
    if (path.includes('{')) patterns.push({ pattern: patternOf(path), routes: byMethod })
    else fixed.set(path, byMethod)
  }
  return (path) => {
    const routesByMethod = fixed.get(path)
    if (routesByMethod) return { routes: routesByMethod, params: {} }
    for (const { pattern, routes } of patterns) {
      const params = pattern.exec(path)?.groups
      if (params) return decoded(routes, params)
    }
    return undefined
  }
}

function patternOf(path: string): RegExp {
  const source = path.replace(/\{(\w+)(\.\.\.)?\}/g, (_, name: string, rest?: string) =>
    rest ? `(?<${name}>.+)` : `(?<${name}>[^/]+)`,
  )
  return new RegExp(`^${source}$`)
}

/** Returns a path's methods for the Allow header, with HEAD wherever there is GET. */
export function allowedMethods({ routes }: RouteMatch<unknown>): string {
  const methods = [...routes.keys()]
  return methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ')
}

function decoded<Row>(
  routes: Map<string, Row>,
  params: Record<string, string>,
): RouteMatch<Row> | undefined {
  try {
    const entries = Object.entries(params).map(
      ([name, value]) => [name, decodeURIComponent(value)] as const,
    )
    return { routes, params: Object.fromEntries(entries) }
  } catch {
    return undefined
  }
}
