import { titles } from '#words/titles/login'
import CardLayout from '../layouts/card.vue'
import Login from '../pages/Auth/Login.vue'
import type { Group } from '../group.ts'

export const group = {
  layout: CardLayout,
  pages: { 'Auth/Login': Login },
  titles,
} satisfies Group<'login'>
