import { hydrate, render } from 'preact'
import { startClient } from '../client/core/client.ts'
import { withSheet } from '../client/core/sheets.ts'
import home from '../styles/home.css'
import inside from '../styles/inside.css'
import { type GroupName, groupOf } from './group-of.ts'
import { login } from './groups/login.ts'
import { type Group, titleIn, View } from './view.tsx'

/** The pages of each group, in a file of their own that is loaded with its stylesheet when the first is shown. */
const groups: Readonly<Record<GroupName, () => Promise<Group>>> = {
  none: async () => (await withSheet(home, import('./groups/none.ts'))).none,
  card: async () => (await import('./groups/card.ts')).card,
  app: async () => (await withSheet(inside, import('./groups/app.ts'))).app,
  settings: async () => (await withSheet(inside, import('./groups/settings.ts'))).settings,
  login: async () => login,
}

void startClient({
  // The document arrives drawn, so the first page takes over what is there.
  async show(page, { first }) {
    const group = await groups[groupOf(page.component)]()
    const view = <View page={page} group={group} />
    const app = document.querySelector('#app')
    if (app) (first ? hydrate : render)(view, app)
    return titleIn(group, page)
  },
})
