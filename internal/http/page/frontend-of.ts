import { frontend as de } from '#frontend/de'
import { frontend as en } from '#frontend/en'
import { defaultLanguage, type Language } from '../../../web/contract/languages.ts'
import type { Frontend } from '../../../web/contract/frontend.ts'
import type { App } from '../../app.ts'

const built: Readonly<Record<Language, Frontend>> = { en, de }

/** Returns the frontend that renders pages in a language: the build's, unless the app has its own. */
export function frontendOf({ frontend }: App, language: Language = defaultLanguage): Frontend {
  return frontend ?? built[language]
}
