import { titles } from '#words/titles/login'
import type { Group } from '../group.ts'
import CardLayout from '../layouts/card.svelte'
import Login from '../pages/Auth/Login.svelte'

export const group = {
  layout: CardLayout,
  pages: { 'Auth/Login': Login },
  titles,
} satisfies Group<'login'>
