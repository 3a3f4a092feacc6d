interface LanguageRow {
  /** What it calls itself. */
  readonly name: string
  readonly direction: 'ltr' | 'rtl'
}

/** What pages and mails are written in, by BCP 47. Its words lie in `words/` in a folder of this name. */
export const languages = {
  en: { name: 'English', direction: 'ltr' },
  de: { name: 'Deutsch', direction: 'ltr' },
} as const satisfies Readonly<Record<string, LanguageRow>>

export type Language = keyof typeof languages

export const languageNames = Object.keys(languages) as Language[]

/** For whoever chose none, and whose browser asks for none of them. */
export const defaultLanguage: Language = 'en'

export function isLanguage(text: string | null | undefined): text is Language {
  return typeof text === 'string' && Object.hasOwn(languages, text)
}
