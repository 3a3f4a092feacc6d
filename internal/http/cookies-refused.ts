import { paths } from '../../web/contract/paths.ts'
import { refererPath } from '../base/network/local-path.ts'
import type { Context } from './context.ts'

// Every answer to a form of these pages sets a cookie, and none links to itself or to a page for users: so a
// request without cookies that comes from one of them to such a page followed a form's redirect.
const forms: ReadonlySet<string> = new Set([paths.login, paths.register, paths['password.request']])

/**
 * Returns the page of the form just sent if the browser dropped the cookies of its answer, and so keeps
 * neither a login nor the outcome. Detected on the GET after the redirect; undefined for requests of the page
 * client, whose storage is blocked along with cookies, and for documents it loads with a cookie.
 */
export function whereRefused(c: Context): string | undefined {
  const isSent =
    !c.protocol &&
    c.method === 'GET' &&
    c.header('sec-fetch-dest') === 'document' &&
    c.header('sec-fetch-site') === 'same-origin' &&
    !c.header('cookie')
  const referer = isSent ? refererPath(c.header('referer'), c.app.config.origin) : undefined
  const [page = ''] = referer?.split('?') ?? []
  return forms.has(page) ? page : undefined
}
