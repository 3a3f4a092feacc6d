import { renderToString } from 'preact-render-to-string'
import { type GroupName, groupOf } from '../contract/groups.ts'
import type { Page } from '../contract/pages.ts'
import { group as app } from './groups/app.ts'
import { group as card } from './groups/card.ts'
import { group as login } from './groups/login.ts'
import { group as none } from './groups/none.ts'
import { group as settings } from './groups/settings.ts'
import { type AnyGroup, View } from './view.tsx'

const groups: Readonly<Record<GroupName, AnyGroup>> = { none, login, card, app, settings }

/** Returns the HTML of a page. */
export async function draw(page: Page): Promise<string> {
  return renderToString(<View page={page} group={groups[groupOf(page.component)]} />)
}
