import type { PageName } from './pages.ts'

export type LayoutName = 'none' | 'card' | 'app' | 'settings'

const sheets = { none: 'home', card: undefined, app: 'inside', settings: 'inside' } as const

/** The stylesheet of `web/styles/` that the pages of a layout need beside the one of every page. */
export function sheetOf(layout: LayoutName): string | undefined {
  return sheets[layout]
}

/** Layout by page name (spec: Frontend). */
export function layoutOf(name: PageName): LayoutName {
  if (name === 'Home') return 'none'
  if (name.startsWith('Settings/')) return 'settings'
  return name.startsWith('Auth/') ? 'card' : 'app'
}
