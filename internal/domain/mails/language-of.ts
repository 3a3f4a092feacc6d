import { defaultLanguage, isLanguage, type Language } from '../../../web/contract/languages.ts'

/** The language of an account's mails: the one its person chose, else that of the pages when they last logged in. */
export function languageOf(user: {
  readonly language: string | null
  readonly lastLanguage: string | null
}): Language {
  const known = [user.language, user.lastLanguage].find(isLanguage)
  return known ?? defaultLanguage
}
