import { hasEnded } from '../session/session-store.ts'
import type { Context } from '../context.ts'

// Milliseconds within which a form arrives that the browser sent without a pause.
const atOnce = 1_000

/** Whether the body took so long that the browser may have another session by now, from another tab. */
export function hasWaited({ app, began }: Context): boolean {
  return app.now().getTime() - began >= atOnce
}

/**
 * Whether the session ended while its form was arriving: the answer must not replace a newer session that the
 * browser has by now (security rule 21).
 */
export function isLate(c: Context): boolean {
  const { opened, visitor, failure } = c
  if (!hasWaited(c) || failure || !opened) return false
  return hasEnded(opened) || (opened.session.login !== undefined && !visitor)
}
