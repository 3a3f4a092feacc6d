import { hasEnded } from '../session/session-store.ts'
import type { Context } from '../context.ts'

// Milliseconds in which a form has come that the browser sent without a pause.
const atOnce = 1_000

/** Whether the body took so long that the browser may have got another session since, in another tab. */
export function hasWaited({ app, began }: Context): boolean {
  return app.now().getTime() - began >= atOnce
}

/**
 * Whether the session ended while its form was still arriving: the answer must not replace a newer one that the browser
 * has got meanwhile (security rule 21).
 */
export function isLate(c: Context): boolean {
  const { opened, visitor, failure } = c
  if (!hasWaited(c) || failure || !opened) return false
  return hasEnded(opened) || (opened.session.login !== undefined && !visitor)
}
