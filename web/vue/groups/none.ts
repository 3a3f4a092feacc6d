import { titles } from '#words/titles/none'
import NoLayout from '../layouts/none.vue'
import Home from '../pages/Home.vue'
import type { Group } from '../group.ts'

export const group = {
  layout: NoLayout,
  pages: { Home },
  titles,
} satisfies Group<'none'>
