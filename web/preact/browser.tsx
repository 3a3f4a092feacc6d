import { hydrate, render } from 'preact'
import { startClient } from '../client/core/client.ts'
import { login } from './groups/login.ts'
import { type AnyGroup, View } from './view.tsx'

void startClient<AnyGroup>({
  groups: {
    none: async () => (await import('./groups/none.ts')).none,
    login: () => login,
    card: async () => (await import('./groups/card.ts')).card,
    app: async () => (await import('./groups/app.ts')).app,
    settings: async () => (await import('./groups/settings.ts')).settings,
  },
  draw(page, group, { first }) {
    const view = <View page={page} group={group} />
    const app = document.querySelector('#app')
    if (app) (first ? hydrate : render)(view, app)
  },
})
