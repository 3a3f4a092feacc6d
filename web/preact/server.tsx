import { renderToString } from 'preact-render-to-string'
import type { Page, PageName } from '../contract/pages.ts'
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

/** The HTML that goes into `<div id="app">`. It depends on the page alone: nothing is kept between pages. */
export function render(page: Page): string {
  return renderToString(<View page={page} group={groups[groupOf(page.component)]} />)
}
