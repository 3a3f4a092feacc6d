import { errorTitle } from '../error.ts'
import type { Titles } from '../../../titles/title-of.ts'

export const titles = {
  Dashboard: 'Dashboard',
  Error: ({ status }) => errorTitle(status),
  Notifications: 'Notifications',
} satisfies Titles<'app'>
