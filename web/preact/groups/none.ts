import { titles } from '#words/titles/none'
import { NoLayout } from '../layouts/none.tsx'
import { Home } from '../pages/Home.tsx'
import type { Group } from '../view.tsx'

export const group = {
  layout: NoLayout,
  pages: { Home },
  titles,
} satisfies Group<'none'>
