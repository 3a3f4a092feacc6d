import { textOf } from '../body/fields.ts'
import type { Context } from '../context.ts'

/**
 * Whether a request comes from a page rendered for this user, or does not say for whom. The page client says
 * it in a header of every request, a form sent by the browser itself in a field.
 */
export function isShownTo(c: Context, userId: number): boolean {
  const pageUserId = c.header('x-page-user') ?? shownToIn(c)
  return pageUserId === undefined || pageUserId === String(userId)
}

function shownToIn({ fields }: Context): string | undefined {
  return fields?.has('_user') ? textOf(fields, '_user') : undefined
}
