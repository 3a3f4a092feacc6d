import { titles } from '#words/titles/app'
import type { Group } from '../group.ts'
import AppLayout from '../layouts/app.svelte'
import Dashboard from '../pages/Dashboard.svelte'
import ErrorPage from '../pages/Error.svelte'
import Notifications from '../pages/Notifications.svelte'

export const group = {
  layout: AppLayout,
  pages: { Dashboard, Error: ErrorPage, Notifications },
  titles,
} satisfies Group<'app'>
