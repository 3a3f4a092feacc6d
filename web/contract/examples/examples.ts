import type { Language } from '../languages.ts'
import type { Flash, Page, PageName } from '../pages.ts'
import type { Examples } from './example.ts'
import { accountExamples } from './account-examples.ts'
import { guestExamples } from './guest-examples.ts'
import { settingsExamples } from './settings-examples.ts'

/** Every page in every state that affects its markup. */
const examples: Required<Examples> = { ...guestExamples, ...accountExamples, ...settingsExamples }

/** Returns all examples in one language, each with its name. */
export function examplePages(language: Language): readonly (readonly [name: string, page: Page])[] {
  const components = Object.entries(examples) as [PageName, Record<string, { flash?: Flash }>][]
  return components.flatMap(([component, states]) =>
    Object.entries(states).map(([state, { flash = {}, ...props }]) => {
      const page = {
        ...pageDefaults,
        component,
        flash,
        props: { ...sharedDefaults, language, ...props },
      }
      return [`${component}, ${state}, ${language}`, page] as const
    }),
  )
}

const sharedDefaults = { auth: { user: null }, bell: { unread: 0 }, errors: {} }
const pageDefaults = { url: '/', version: '1', encryptHistory: true, clearHistory: false }
