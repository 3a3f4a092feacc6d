import { flushSync, hydrate, mount } from 'svelte'
import type { Draw } from '../client/core/start-late.ts'
import type { Page } from '../contract/pages.ts'
import type { AnyGroup } from './group.ts'
import View from './view.svelte'

/** Hydrates a server-drawn page, or draws it into an empty `#app`. Returns a function to draw later pages. */
export function takeOver(page: Page, group: AnyGroup): Draw<AnyGroup> {
  const target = document.querySelector('#app')
  if (!target) throw new Error('The document has no place for pages.')
  const begin = target.hasChildNodes() ? hydrate : mount
  const view = begin(View, { target, props: { first: { page, group } } })
  return (page, group) => {
    view.show({ page, group })
    // Synchronously: the client considers the page drawn when this returns.
    flushSync()
  }
}
