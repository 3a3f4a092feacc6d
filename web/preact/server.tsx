import { renderToString } from 'preact-render-to-string'
import type { Frontend } from '../contract/frontend.ts'
import type { PageName } from '../contract/pages.ts'
import { groupOf } from './group-of.ts'
import { app } from './groups/app.ts'
import { card } from './groups/card.ts'
import { login } from './groups/login.ts'
import { none } from './groups/none.ts'
import { settings } from './groups/settings.ts'
import { View } from './view.tsx'

const groups = { none, card, app, settings, login }

// The compiler names the page that no group has.
void ({
  ...none.pages,
  ...card.pages,
  ...app.pages,
  ...settings.pages,
  ...login.pages,
} satisfies Record<PageName, unknown>)

export const frontend: Frontend = {
  render: async (page) =>
    renderToString(<View page={page} group={groups[groupOf(page.component)]} />),
  trustedTypes: [],
}
