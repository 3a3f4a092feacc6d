import type { Context } from '../context.ts'

/** Whether the login that the browser sent has just turned out to have ended. */
export function hasJustEnded({ opened, visitor, failure }: Context): boolean {
  return opened?.session.login !== undefined && !visitor && !failure
}

/** Returns whose login ended in this browser, now or since its last login; undefined if unknown. */
export function endedUser(c: Context): number | undefined {
  return hasJustEnded(c) ? c.opened?.session.login?.userId : c.session.endedUser
}
