import { pathOf, paths } from '../../../web/contract/paths.ts'
import { textOf } from '../body/fields.ts'
import type { Context } from '../context.ts'
import type { Place, Route } from '../router.ts'

/** The page that a form is on and that shows its errors: the one its route names, else that of its own path. */
export function ownPage(c: Context, { routes }: Place, { page }: Route): string | undefined {
  if (typeof page === 'function') return page(c)
  if (page) return paths[page]
  return routes.has('GET') ? c.url : undefined
}

/** The page of a reset link, by the token that its form sent; if it cannot be a token, the page that mails a link. */
export function resetPage({ fields = new Map() }: Context): string {
  const token = textOf(fields, 'token')
  if (!/^[\w.-]{1,100}$/.test(token)) return paths['password.request']
  const query = new URLSearchParams({ email: textOf(fields, 'email') })
  return `${pathOf(paths['password.reset'], { token })}?${query}`
}

/** The page that lists passkeys; the profile for a user whose email is not verified, to whom that page is closed. */
export function passkeysPage({ visitor }: Context): string {
  return paths[visitor?.user.emailVerifiedAt ? 'security.edit' : 'profile.edit']
}
