import { titles } from '#words/titles/settings'
import { AppLayout } from '../layouts/app.tsx'
import { SettingsLayout } from '../layouts/settings.tsx'
import { Appearance } from '../pages/Settings/Appearance.tsx'
import { Profile } from '../pages/Settings/Profile.tsx'
import { Security } from '../pages/Settings/Security.tsx'
import { Tokens } from '../pages/Settings/Tokens.tsx'
import type { Group } from '../view.tsx'

export const group = {
  layout: AppLayout,
  inside: SettingsLayout,
  pages: {
    'Settings/Appearance': Appearance,
    'Settings/Profile': Profile,
    'Settings/Security': Security,
    'Settings/Tokens': Tokens,
  },
  titles,
} satisfies Group<'settings'>
