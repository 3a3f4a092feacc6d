import type { PageName } from './pages.ts'

export type LayoutName = 'none' | 'card' | 'app'

/** Layout by page name (spec: Frontend). */
export function layoutOf(name: PageName): LayoutName {
  if (name === 'Home') return 'none'
  return name.startsWith('Auth/') ? 'card' : 'app'
}
