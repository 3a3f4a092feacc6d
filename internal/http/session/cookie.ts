import { appName } from '../../../web/contract/name.ts'
import { withoutSpace } from '../../base/text/optional-space.ts'
import type { Config } from '../../base/settings/config.ts'

/** Bytes of name, value and attributes together: a browser should keep a cookie of that size (RFC 6265, 6.1). */
export const mostCookieBytes = 4096

/** A cookie of ours: how it is named, and what follows its value in every Set-Cookie (contract: Cookies). */
export interface CookieForm {
  readonly name: string
  readonly attributes: string
}

export function cookieForm({ https }: Pick<Config, 'https'>, suffix: string): CookieForm {
  return {
    name: `${https ? '__Host-' : ''}${appName}_${suffix}`,
    attributes: `; Path=/; HttpOnly; SameSite=Lax${https ? '; Secure' : ''}`,
  }
}

/** The Set-Cookie that has a browser keep a value for so many milliseconds. */
export function setCookie(form: CookieForm, value: string, lifetime: number): string {
  return `${form.name}=${value}; Max-Age=${lifetime / 1000}${form.attributes}`
}

/** The Set-Cookie that has a browser drop the cookie. */
export function dropCookie(form: CookieForm): string {
  return setCookie(form, '', 0)
}

/** The value of the first cookie of a name in a Cookie header, or undefined. */
export function cookieValue(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const text = withoutSpace(pair)
    if (text.startsWith(name) && text[name.length] === '=') return text.slice(name.length + 1)
  }
  return undefined
}
