import { titles } from '#words/titles/login'
import { CardLayout } from '../layouts/card.tsx'
import { Login } from '../pages/Auth/Login.tsx'
import type { Group } from '../view.tsx'

export const group = {
  layout: CardLayout,
  pages: { 'Auth/Login': Login },
  titles,
} satisfies Group<'login'>
