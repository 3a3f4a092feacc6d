import { paths } from '../../web/contract/paths.ts'
import { refererPath } from '../base/local-path.ts'
import type { Context } from './context.ts'

// Each form there is answered with a cookie, whatever becomes of it, and no link leads on to a page of users or to the page
// itself.
const forms: ReadonlySet<string> = new Set([paths.login, paths.register, paths['password.request']])

/**
 * The page of the form that a browser has just sent, if it brings none of the cookies of the answer: it keeps neither a
 * login nor what became of the form. Seen as the browser follows the answer's redirect; never with the page client,
 * which can keep nothing either where cookies are refused.
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
