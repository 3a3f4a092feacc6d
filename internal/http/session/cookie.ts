import { appName } from '../../../web/contract/name.ts'
import { withoutSpace } from '../../base/text/optional-space.ts'
import type { Config } from '../../base/settings/config.ts'

/** Bytes of name, value and attributes together that browsers should support (RFC 6265, 6.1). */
export const mostCookieBytes = 4096

/** One of our cookies: its name, and the attributes of every Set-Cookie (contract: Cookies). */
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

/** Returns the Set-Cookie for a value; the lifetime is in milliseconds. */
export function setCookie(form: CookieForm, value: string, lifetime: number): string {
  return `${form.name}=${value}; Max-Age=${lifetime / 1000}${form.attributes}`
}

/** Returns the Set-Cookie that deletes the cookie. */
export function dropCookie(form: CookieForm): string {
  return setCookie(form, '', 0)
}

/** Returns the value of the first cookie of this name in a Cookie header, or undefined. */
export function cookieValue(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const text = withoutSpace(pair)
    if (text.startsWith(name) && text[name.length] === '=') return text.slice(name.length + 1)
  }
  return undefined
}
