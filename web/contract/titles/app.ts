import { errorTitle } from '../words/error.ts'
import type { Titles } from './title-of.ts'

export const titles = {
  Dashboard: 'Dashboard',
  Error: ({ status }) => errorTitle(status),
  Notifications: 'Notifications',
} satisfies Titles<'app'>
