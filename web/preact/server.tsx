import { renderToString } from 'preact-render-to-string'
import { type GroupName, groupOf } from '../contract/groups.ts'
import type { Frontend } from '../contract/frontend.ts'
import { app } from './groups/app.ts'
import { card } from './groups/card.ts'
import { login } from './groups/login.ts'
import { none } from './groups/none.ts'
import { settings } from './groups/settings.ts'
import { type AnyGroup, View } from './view.tsx'

const groups: Readonly<Record<GroupName, AnyGroup>> = { none, login, card, app, settings }

export const frontend: Frontend = {
  render: async (page) =>
    renderToString(<View page={page} group={groups[groupOf(page.component)]} />),
  trustedTypes: [],
  makesStyles: false,
}
