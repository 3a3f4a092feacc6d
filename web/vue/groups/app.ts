import { titles } from '#words/titles/app'
import AppLayout from '../layouts/app.vue'
import Dashboard from '../pages/Dashboard.vue'
import ErrorPage from '../pages/Error.vue'
import Notifications from '../pages/Notifications.vue'
import type { Group } from '../group.ts'

export const group = {
  layout: AppLayout,
  pages: { Dashboard, Error: ErrorPage, Notifications },
  titles,
} satisfies Group<'app'>
