import { paths } from '../../web/contract/paths.ts'
import { refererPath } from '../base/network/local-path.ts'
import type { Context } from './context.ts'

// Every answer to a form of these pages sets a cookie, and none of them has a link to a page for users or to itself: a
// request that comes to such a page from one of them, without a cookie, follows the answer to a form.
const forms: ReadonlySet<string> = new Set([paths.login, paths.register, paths['password.request']])

/**
 * The page of the form that a browser has just sent, if it brings none of the cookies of the answer: it keeps neither a
 * login nor what became of the form. Seen as the browser follows the answer's redirect; undefined for a request of the
 * page client, whose storage a browser refuses along with cookies, and for a document that the client has loaded, which
 * it sets a cookie for.
 */
export function whereRefused(c: Context): string | undefined {
  const isSent =
    !c.protocol &&
    c.method === 'GET' &&
    c.header('sec-fetch-dest') === 'document' &&
    c.header('sec-fetch-site') === 'same-origin' &&
    !c.header('cookie')
  const referer = isSent ? refererPath(c.header('referer'), c.app.config.origin) : undefined
  const [from = ''] = referer?.split('?') ?? []
  return forms.has(from) ? from : undefined
}
