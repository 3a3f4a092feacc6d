import { titles } from '#words/titles/app'
import { AppLayout } from '../layouts/app.tsx'
import { Dashboard } from '../pages/Dashboard.tsx'
import { ErrorPage } from '../pages/Error.tsx'
import { Notifications } from '../pages/Notifications.tsx'
import type { Group } from '../view.tsx'

export const group = {
  layout: AppLayout,
  pages: { Dashboard, Error: ErrorPage, Notifications },
  titles,
} satisfies Group<'app'>
