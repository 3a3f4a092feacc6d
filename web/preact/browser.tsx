import { hydrate, render } from 'preact'
import { startClient } from '../client/client.ts'
import { type GroupName, groupOf } from './group-of.ts'
import { type Group, View } from './view.tsx'
// Every group has these; named here, they travel with Preact instead of in a file of their own.
// oxlint-disable-next-line import/no-unassigned-import
import './ui/ways.tsx'

/** The pages of each group, in a file of their own that is loaded when the first of them is shown. */
const groups: Readonly<Record<GroupName, () => Promise<Group>>> = {
  none: async () => (await import('./groups/none.ts')).none,
  card: async () => (await import('./groups/card.ts')).card,
  app: async () => (await import('./groups/app.ts')).app,
  login: async () => (await import('./groups/login.ts')).login,
}

void startClient({
  // The document arrives drawn, so the first page takes over what is there.
  async show(page, { first }) {
    const view = <View page={page} group={await groups[groupOf(page.component)]()} />
    const app = document.querySelector('#app')
    if (app) (first ? hydrate : render)(view, app)
  },
})
