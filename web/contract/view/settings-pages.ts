import { path } from '../paths.ts'
import { settings } from '../words/settings.ts'
import type { Groups } from '../groups.ts'

/** The way to each page of the settings, in the order they are shown in. */
export const settingsPages: readonly {
  readonly component: Groups['settings']
  readonly href: string
  readonly name: string
}[] = [
  { component: 'Settings/Profile', href: path('profile.edit'), name: settings.profile },
  { component: 'Settings/Security', href: path('security.edit'), name: settings.security },
  { component: 'Settings/Tokens', href: path('tokens.index'), name: settings.tokens },
  { component: 'Settings/Appearance', href: path('appearance.edit'), name: settings.appearance },
]
