import type { PageName } from './pages.ts'

export type LayoutName = 'none' | 'card' | 'app'

/** Layout by page name (spec: Frontend). A browser loads the pages of one layout together. */
export function layoutOf(name: PageName): LayoutName {
  if (name === 'Home') return 'none'
  return name.startsWith('Auth/') ? 'card' : 'app'
}
