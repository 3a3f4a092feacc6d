import { paths } from '../paths.ts'
import { settings } from '#words/settings/settings'
import type { Groups } from '../groups.ts'

/** The links to the settings pages, in order. */
export const settingsPages: readonly {
  readonly component: Groups['settings']
  readonly href: string
  readonly name: string
}[] = [
  { component: 'Settings/Profile', href: paths['profile.edit'], name: settings.profile },
  { component: 'Settings/Security', href: paths['security.edit'], name: settings.security },
  { component: 'Settings/Tokens', href: paths['tokens.index'], name: settings.tokens },
  { component: 'Settings/Appearance', href: paths['appearance.edit'], name: settings.appearance },
]
