import { pathOf, paths } from '../../../web/contract/paths.ts'
import { textOf } from '../body/fields.ts'
import type { Context } from '../context.ts'
import type { RouteMatch, Route } from '../router.ts'

/** Returns the page of a form, which shows its errors: the one its route names, else that of its own path. */
export function ownPage(c: Context, { routes }: RouteMatch, { page }: Route): string | undefined {
  if (typeof page === 'function') return page(c)
  if (page) return paths[page]
  return routes.has('GET') ? c.url : undefined
}

/**
 * Returns the page that an address of this site leads back to: itself, or the page of the form that is sent
 * there, since only the form's error page stood there; undefined if that form has no page.
 */
export function pageAt(c: Context, address: string, match: RouteMatch | undefined) {
  if (!match || match.routes.has('GET')) return address
  const route = match.routes.values().find(({ page }) => page !== undefined)
  return route && ownPage(c, match, route)
}

/** Returns the page of a reset link by the form's token; if that is malformed, the page that mails a link. */
export function resetPage({ fields = new Map() }: Context): string {
  const token = textOf(fields, 'token')
  if (!/^[\w.-]{1,100}$/.test(token)) return paths['password.request']
  const query = new URLSearchParams({ email: textOf(fields, 'email') })
  return `${pathOf(paths['password.reset'], { token })}?${query}`
}

/** Returns the page that lists passkeys, or the profile for an unverified user, who cannot open that page. */
export function passkeysPage({ visitor }: Context): string {
  return paths[visitor?.user.emailVerifiedAt ? 'security.edit' : 'profile.edit']
}
