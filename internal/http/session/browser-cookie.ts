import { lifetimes } from '../../base/lifetimes.ts'
import { isRandomId } from '../../base/crypto/random.ts'
import { cookieForm, cookieValue, setCookie } from './cookie.ts'
import type { Config } from '../../base/settings/config.ts'

/** Returns the ID in the browser's cookie, or undefined if there is none of our form (spec: Browser). */
export function browserIdIn(config: Config, header: string | undefined): string | undefined {
  const value = cookieValue(header, cookieForm(config, 'browser').name)
  return value !== undefined && isRandomId(value) ? value : undefined
}

/** Returns the Set-Cookie that identifies a browser for a year, logged in or out. */
export function browserCookie(config: Config, id: string): string {
  return setCookie(cookieForm(config, 'browser'), id, lifetimes.browser)
}
