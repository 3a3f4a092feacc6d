import type { PageName } from './pages.ts'

type PagesUnder<Folder extends string> = Extract<PageName, `${Folder}/${string}`>

/**
 * The pages that a browser loads together: those of one layout (spec: Frontend). The login page is its own
 * group: most visits begin there, and it must not wait for the code of other pages.
 */
export interface Groups {
  none: 'Home'
  login: 'Auth/Login'
  card: Exclude<PagesUnder<'Auth'>, 'Auth/Login'>
  app: Exclude<PageName, 'Home' | PagesUnder<'Auth'> | PagesUnder<'Settings'>>
  settings: PagesUnder<'Settings'>
}

export type GroupName = keyof Groups

export function groupOf(name: PageName): GroupName {
  if (name === 'Home') return 'none'
  if (name === 'Auth/Login') return 'login'
  if (name.startsWith('Settings/')) return 'settings'
  return name.startsWith('Auth/') ? 'card' : 'app'
}

const sheets = { none: 'home', card: 'card', app: 'inside', settings: 'inside' } as const

type Sheets = typeof sheets

export type SheetName = Sheets[keyof Sheets]

/** The path of each group's own stylesheet, where the compiler knows which stylesheet a path is of. */
export type SheetPaths = {
  readonly [Name in keyof Sheets]: `/assets/${Sheets[Name]}-${string}.css`
} & { readonly login?: never }

/** Returns the stylesheet in `web/styles/` for a group, besides the one for every page. */
export function sheetOf(name: GroupName): SheetName | undefined {
  return (sheets as { readonly [Name in GroupName]?: SheetName })[name]
}
