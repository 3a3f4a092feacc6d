import { type LayoutName, layoutOf } from '../contract/layout.ts'
import type { PageName } from '../contract/pages.ts'

export type GroupName = LayoutName | 'login'

/** Which group a page is loaded with: its layout's, but most visits begin with a login, which waits for nothing else. */
export function groupOf(name: PageName): GroupName {
  return name === 'Auth/Login' ? 'login' : layoutOf(name)
}
