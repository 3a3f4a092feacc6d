import { frontend as de } from '#frontend/de'
import { frontend as en } from '#frontend/en'
import { defaultLanguage, type Language } from '../../../web/contract/languages.ts'
import type { Frontend } from '../../../web/contract/frontend.ts'
import type { App } from '../../app.ts'

const built: Readonly<Record<Language, Frontend>> = { en, de }

/** What draws the pages in a language: what the build has for it, unless the app was given another. */
export function frontendOf({ frontend }: App, language: Language = defaultLanguage): Frontend {
  return frontend ?? built[language]
}
