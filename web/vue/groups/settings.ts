import { titles } from '#words/titles/settings'
import AppLayout from '../layouts/app.vue'
import SettingsLayout from '../layouts/settings.vue'
import Appearance from '../pages/Settings/Appearance.vue'
import Profile from '../pages/Settings/Profile.vue'
import Security from '../pages/Settings/Security.vue'
import Tokens from '../pages/Settings/Tokens.vue'
import type { Group } from '../group.ts'

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
