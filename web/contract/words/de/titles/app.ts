import { errorTitle } from '../error.ts'
import type { Titles } from '../../../titles/title-of.ts'

export const titles = {
  Dashboard: 'Übersicht',
  Error: ({ status }) => errorTitle(status),
  Notifications: 'Benachrichtigungen',
} satisfies Titles<'app'>
