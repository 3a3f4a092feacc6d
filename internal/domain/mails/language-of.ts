import { defaultLanguage, isLanguage, type Language } from '../../../web/contract/languages.ts'

/**
 * Returns the language of an account's mails: the chosen one, else that of its last login, else the default.
 */
export function languageOf(user: {
  readonly language: string | null
  readonly lastLanguage: string | null
}): Language {
  const language = [user.language, user.lastLanguage].find(isLanguage)
  return language ?? defaultLanguage
}
