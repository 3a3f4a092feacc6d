import { textOf } from '../body/fields.ts'
import type { Context } from '../context.ts'

/**
 * Whether the page that something was asked on was shown to this user, or says nothing of it. The page client says it with
 * all that it sends; a form that the browser sends itself has a field that does.
 */
export function isShownTo(c: Context, userId: number): boolean {
  const said = c.header('x-page-user') ?? shownToIn(c)
  return said === undefined || said === String(userId)
}

function shownToIn({ fields }: Context): string | undefined {
  return fields?.has('_user') ? textOf(fields, '_user') : undefined
}
