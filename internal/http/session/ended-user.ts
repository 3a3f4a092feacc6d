import type { Context } from '../context.ts'

/** Whether the login that the browser came with has just turned out to be over. */
export function hasJustEnded({ opened, visitor, failure }: Context): boolean {
  return opened?.session.login !== undefined && !visitor && !failure
}

/** Whose login ended in this browser, now or since it last logged in; undefined where that is not known. */
export function endedUser(c: Context): number | undefined {
  return hasJustEnded(c) ? c.opened?.session.login?.userId : c.session.endedUser
}
