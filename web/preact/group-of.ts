import { type LayoutName, layoutOf } from '../contract/layout.ts'
import type { PageName } from '../contract/pages.ts'

export type GroupName = LayoutName | 'recover'

// oxfmt-ignore
const recover: ReadonlySet<PageName> = new Set([
  'Auth/ConfirmPassword', 'Auth/ForgotPassword', 'Auth/ResetPassword', 'Auth/VerifyEmail',
])

/** Which group a page is loaded with: its layout's, but few who log in need what a mailed link leads to. */
export function groupOf(name: PageName): GroupName {
  return recover.has(name) ? 'recover' : layoutOf(name)
}
