import { renderToString } from 'preact-render-to-string'
import { type GroupName, groupOf } from '../contract/groups.ts'
import type { Page } from '../contract/pages.ts'
import { app } from './groups/app.ts'
import { card } from './groups/card.ts'
import { login } from './groups/login.ts'
import { none } from './groups/none.ts'
import { settings } from './groups/settings.ts'
import { type AnyGroup, View } from './view.tsx'

const groups: Readonly<Record<GroupName, AnyGroup>> = { none, login, card, app, settings }

/** The HTML of a page. */
export async function draw(page: Page): Promise<string> {
  return renderToString(<View page={page} group={groups[groupOf(page.component)]} />)
}
