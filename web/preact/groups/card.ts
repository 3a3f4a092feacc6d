import { CardLayout } from '../layouts/card.tsx'
import { Login } from '../pages/Auth/Login.tsx'
import { Register } from '../pages/Auth/Register.tsx'
import type { Group } from '../view.tsx'

export const card = {
  layout: CardLayout,
  pages: { 'Auth/Login': Login, 'Auth/Register': Register },
} satisfies Group
