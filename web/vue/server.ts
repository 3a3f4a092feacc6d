import { createSSRApp } from 'vue'
import { renderToString } from 'vue/server-renderer'
import type { Frontend } from '../contract/frontend.ts'
import { type GroupName, groupOf } from '../contract/groups.ts'
import type { AnyGroup } from './group.ts'
import { app } from './groups/app.ts'
import { card } from './groups/card.ts'
import { login } from './groups/login.ts'
import { none } from './groups/none.ts'
import { settings } from './groups/settings.ts'
import View from './view.vue'

const groups: Readonly<Record<GroupName, AnyGroup>> = { none, login, card, app, settings }

export const frontend: Frontend = {
  render: (page) =>
    renderToString(createSSRApp(View, { page, group: groups[groupOf(page.component)] })),
  // It makes one as it loads, by which it would make elements of text.
  trustedTypes: ['vue'],
  makesStyles: false,
}
