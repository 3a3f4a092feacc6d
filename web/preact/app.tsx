import { hydrate, render } from 'preact'
import type { Draw } from '../client/core/start-late.ts'
import type { Page } from '../contract/pages.ts'
import { type AnyGroup, View } from './view.tsx'

/** Hydrates a server-drawn page, or draws it into an empty `#app`. Returns a function to draw later pages. */
export function takeOver(page: Page, group: AnyGroup): Draw<AnyGroup> {
  const target = document.querySelector('#app')
  if (!target) throw new Error('The document has no place for pages.')
  const begin = target.hasChildNodes() ? hydrate : render
  begin(<View page={page} group={group} />, target)
  return (page, group) => render(<View page={page} group={group} />, target)
}
