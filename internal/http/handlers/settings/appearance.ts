import { page } from '../../page/page.ts'
import type { UserContext } from '../../context.ts'
import type { Handler } from '../../form/form.ts'

/** Shows the page alone: it keeps the choice in the browser (spec: Frontend). */
export const showAppearance: Handler<UserContext> = (c) => page(c, 'Settings/Appearance', {})
