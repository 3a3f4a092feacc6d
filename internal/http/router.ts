import { paths, type RouteName } from '../../web/contract/paths.ts'
import type { Who } from './guards.ts'
import type { Handler } from './form.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A row of the route table. */
export interface Route {
  readonly method: Method
  readonly name: RouteName
  readonly who: Who
  readonly handler: Handler
  /** Asked for by a page and not by the person: it restarts no login's span, and nobody is on the way to it. */
  readonly unasked?: true
  /** A POST that brings a file: the guards come first, and the handler reads its body and the `_method` in it. */
  readonly upload?: true
}

/** What stands at a path: its routes by method, and the parts of the path they name. */
export interface Place {
  readonly routes: ReadonlyMap<string, Route>
  readonly params: Readonly<Record<string, string>>
}

/** Finds what stands at a path, or undefined. A path with a part that cannot be decoded stands nowhere. */
export function router(routes: readonly Route[]): (path: string) => Place | undefined {
  const fixed = new Map<string, Map<string, Route>>()
  const patterns: { pattern: RegExp; routes: Map<string, Route> }[] = []
  for (const [path, list] of Map.groupBy(routes, (route) => paths[route.name])) {
    const byMethod = new Map(list.map((route) => [route.method, route]))
    if (path.includes('{')) patterns.push({ pattern: patternOf(path), routes: byMethod })
    else fixed.set(path, byMethod)
  }
  return (path) => {
    const found = fixed.get(path)
    if (found) return { routes: found, params: {} }
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

function decoded(routes: Map<string, Route>, params: Record<string, string>): Place | undefined {
  try {
    const entries = Object.entries(params).map(([name, value]) => [name, decodeURIComponent(value)])
    return { routes, params: Object.fromEntries(entries) as Record<string, string> }
  } catch {
    return undefined
  }
}
