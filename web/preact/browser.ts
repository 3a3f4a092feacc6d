import { startLate } from '../client/core/start-late.ts'
import { titles } from '#words/titles/login'
import type { AnyGroup } from './view.tsx'

void startLate<AnyGroup>({
  app: () => import('./app.tsx'),
  login: { titles, load: async () => (await import('./groups/login.ts')).login },
  groups: {
    none: async () => (await import('./groups/none.ts')).none,
    card: async () => (await import('./groups/card.ts')).card,
    app: async () => (await import('./groups/app.ts')).app,
    settings: async () => (await import('./groups/settings.ts')).settings,
  },
})
