import { titles } from '#words/titles/none'
import type { Group } from '../group.ts'
import NoLayout from '../layouts/none.svelte'
import Home from '../pages/Home.svelte'

export const group = {
  layout: NoLayout,
  pages: { Home },
  titles,
} satisfies Group<'none'>
