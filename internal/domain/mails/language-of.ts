import { defaultLanguage, isLanguage, type Language } from '../../../web/contract/languages.ts'

/**
 * Returns the language of an account's mails: the chosen one, else that of its last login, else the default.
 */
export function languageOf(user: {
  readonly language: string | null
  readonly lastLanguage: string | null
}): Language {
  return knownLanguage(user.language, user.lastLanguage)
}

/** Returns the first that this version knows, else the default: another version may know more. */
export function knownLanguage(...tags: readonly (string | null | undefined)[]): Language {
  return tags.find(isLanguage) ?? defaultLanguage
}
