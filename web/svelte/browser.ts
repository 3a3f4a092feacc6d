import { startLate } from '../client/core/start-late.ts'
import { titles } from '#words/titles/login'
import type { AnyGroup } from './group.ts'

void startLate<AnyGroup>({
  app: () => import('./app.ts'),
  login: { titles, load: () => import('./groups/login.ts') },
  groups: {
    none: () => import('./groups/none.ts'),
    card: () => import('./groups/card.ts'),
    app: () => import('./groups/app.ts'),
    settings: () => import('./groups/settings.ts'),
  },
})
