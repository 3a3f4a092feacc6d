import { createSSRApp, h, nextTick, shallowRef } from 'vue'
import type { Draw } from '../client/core/start-late.ts'
import type { Page } from '../contract/pages.ts'
import type { AnyGroup } from './group.ts'
import View from './view.vue'

/** Hydrates a server-drawn page, or draws it into an empty `#app`. Returns a function to draw later pages. */
export function takeOver(page: Page, group: AnyGroup): Draw<AnyGroup> {
  const current = shallowRef({ page, group })
  createSSRApp(() => h(View, current.value)).mount('#app')
  return (page, group) => {
    current.value = { page, group }
    return nextTick()
  }
}
