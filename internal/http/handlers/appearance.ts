import { page } from '../page/page.ts'
import type { UserContext } from '../context.ts'
import type { Handler } from '../form/form.ts'

/** Appearance is the browser's choice: the page keeps it there (spec: Frontend). */
export const showAppearance: Handler<UserContext> = (c) => page(c, 'Settings/Appearance', {})
