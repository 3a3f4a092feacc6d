import { isLanguage, type Language } from '../../../web/contract/languages.ts'
import { lifetimes } from '../../base/lifetimes.ts'
import { cookieForm, cookieValue, setCookie } from './cookie.ts'
import type { Config } from '../../base/settings/config.ts'

/** Returns the language in the browser's cookie; undefined if it is none of ours. */
export function languageIn(config: Config, header: string | undefined): Language | undefined {
  const value = cookieValue(header, cookieForm(config, 'language').name)
  return isLanguage(value) ? value : undefined
}

/** Returns the Set-Cookie that keeps the choice for a year. */
export function languageCookie(config: Config, language: Language): string {
  return setCookie(cookieForm(config, 'language'), language, lifetimes.languageChoice)
}
