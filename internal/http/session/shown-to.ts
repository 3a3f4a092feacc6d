import { textOf } from '../body/fields.ts'
import type { Context } from '../context.ts'

/**
 * Whether a request comes from a page that was shown to this user, or does not say to whom. The page client says it in
 * a header of all that it sends; a form that the browser sends itself has a field for it.
 */
export function isShownTo(c: Context, userId: number): boolean {
  const pageUserId = c.header('x-page-user') ?? shownToIn(c)
  return pageUserId === undefined || pageUserId === String(userId)
}

function shownToIn({ fields }: Context): string | undefined {
  return fields?.has('_user') ? textOf(fields, '_user') : undefined
}
