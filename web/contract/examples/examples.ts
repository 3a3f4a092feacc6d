import type { Language } from '../languages.ts'
import type { Flash, Page, PageName } from '../pages.ts'
import type { Examples } from './example.ts'
import { ofAccounts } from './of-accounts.ts'
import { ofGuests } from './of-guests.ts'
import { ofSettings } from './of-settings.ts'

/** Every page in every state that affects its markup. */
const examples: Required<Examples> = { ...ofGuests, ...ofAccounts, ...ofSettings }

/** Returns all examples in one language, each with its name. */
export function pagesIn(language: Language): readonly (readonly [name: string, page: Page])[] {
  const components = Object.entries(examples) as [PageName, Record<string, { flash?: Flash }>][]
  return components.flatMap(([component, states]) =>
    Object.entries(states).map(([state, { flash = {}, ...props }]) => {
      const page = { ...usual, component, flash, props: { ...shared, language, ...props } }
      return [`${component}, ${state}, ${language}`, page] as const
    }),
  )
}

const shared = { auth: { user: null }, bell: { unread: 0 }, errors: {} }
const usual = { url: '/', version: '1', encryptHistory: true, clearHistory: false }
