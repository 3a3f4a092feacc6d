import { fieldsToValidate } from './page/protocol.ts'
import type { Context } from './context.ts'

/**
 * Whether a request only probes: a HEAD, a prefetch, whose answer may never be shown, or a validation-only
 * request. Its answer consumes nothing that is shown once, and marks nothing read (contract: Page protocol).
 */
export function isLook(c: Context): boolean {
  if (c.incoming.method === 'HEAD' || c.header('purpose') === 'prefetch') return true
  if (fieldsToValidate(c)) return true
  return c.header('sec-purpose')?.startsWith('prefetch') === true
}
