interface LanguageRow {
  /** The language's own name. */
  readonly name: string
  readonly direction: 'ltr' | 'rtl'
}

/** The languages of pages and mails, by BCP 47 tag. `words/` has a folder of that name for each. */
export const languages = {
  en: { name: 'English', direction: 'ltr' },
  de: { name: 'Deutsch', direction: 'ltr' },
} as const satisfies Readonly<Record<string, LanguageRow>>

export type Language = keyof typeof languages

export const languageNames = Object.keys(languages) as Language[]

/** For people who have chosen no language, and whose browser requests none of these. */
export const defaultLanguage: Language = 'en'

export function isLanguage(text: string | null | undefined): text is Language {
  return typeof text === 'string' && Object.hasOwn(languages, text)
}
