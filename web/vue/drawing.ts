import { createSSRApp } from 'vue'
import { renderToString } from 'vue/server-renderer'
import { type GroupName, groupOf } from '../contract/groups.ts'
import type { Page } from '../contract/pages.ts'
import type { AnyGroup } from './group.ts'
import { group as app } from './groups/app.ts'
import { group as card } from './groups/card.ts'
import { group as login } from './groups/login.ts'
import { group as none } from './groups/none.ts'
import { group as settings } from './groups/settings.ts'
import View from './view.vue'

const groups: Readonly<Record<GroupName, AnyGroup>> = { none, login, card, app, settings }

/** Returns the HTML of a page. */
export async function draw(page: Page): Promise<string> {
  return renderToString(createSSRApp(View, { page, group: groups[groupOf(page.component)] }))
}
