import { titles } from '#words/titles/settings'
import type { Group } from '../group.ts'
import AppLayout from '../layouts/app.svelte'
import SettingsLayout from '../layouts/settings.svelte'
import Appearance from '../pages/Settings/Appearance.svelte'
import Profile from '../pages/Settings/Profile.svelte'
import Security from '../pages/Settings/Security.svelte'
import Tokens from '../pages/Settings/Tokens.svelte'

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
