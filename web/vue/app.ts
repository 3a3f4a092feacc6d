import { createSSRApp, h, nextTick, shallowRef } from 'vue'
import type { Draw } from '../client/core/start-late.ts'
import type { Page } from '../contract/pages.ts'
import type { AnyGroup } from './group.ts'
import View from './view.vue'

/**
 * Takes over a page that the server drew, or draws it if `#app` is empty; returns a function that draws the next pages.
 */
export function takeOver(page: Page, group: AnyGroup): Draw<AnyGroup> {
  const shown = shallowRef({ page, group })
  createSSRApp(() => h(View, shown.value)).mount('#app')
  return (page, group) => {
    shown.value = { page, group }
    return nextTick()
  }
}
