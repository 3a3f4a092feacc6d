import { AppLayout } from '../layouts/app.tsx'
import { Dashboard } from '../pages/Dashboard.tsx'
import { ErrorPage } from '../pages/Error.tsx'
import type { Group } from '../view.tsx'

export const app = { layout: AppLayout, pages: { Dashboard, Error: ErrorPage } } satisfies Group
