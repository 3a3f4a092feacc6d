import { defaultLanguage, isLanguage, type Language } from '../../../web/contract/languages.ts'

/** What an account's mails are in: what its person chose, else what the pages were in when they last logged in. */
export function languageOf(user: {
  readonly language: string | null
  readonly lastLanguage: string | null
}): Language {
  const known = [user.language, user.lastLanguage].find(isLanguage)
  return known ?? defaultLanguage
}
