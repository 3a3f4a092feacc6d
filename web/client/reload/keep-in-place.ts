import type { NotificationList, Page } from '../../contract/pages.ts'
import type { TwoFactor } from '../../contract/two-factor.ts'

/** Props whose content stays until the page is left. */
interface Lasting {
  readonly recoveryCodes?: unknown
  readonly notifications?: NotificationList
  readonly onlyUnread?: boolean
  readonly twoFactor?: TwoFactor
}

/**
 * Returns the page after a reload. A partial reload keeps the props that were not requested; any reload keeps
 * the errors of a form being filled in, the text that the server gave back to it, and what the page shows in
 * place.
 */
export function mergeReload(current: Page, answer: Page, partial: boolean): Page {
  if (!isSamePage(current, answer)) return answer
  const { errors, old } = current.props
  const props = { ...(old && { old }), ...(partial && current.props), ...answer.props, errors }
  return keepInPlace(current, { ...answer, props })
}

/**
 * Returns the new version of the same page with what it shows in place until it is left (spec: Page delivery
 * 4): flash that is no toast, recovery codes that still hold, and the dots of notifications that were new. An answer
 * for another user, who has logged in in another tab since, keeps nothing. One to a form that failed also keeps the
 * text that the server gave back to it before.
 */
export function keepInPlace(current: Page, answer: Page): Page {
  if (!isSamePage(current, answer)) return answer
  const { success: _told, error: _toldToo, recoveryCodes: made, ...inPlace } = current.flash
  const {
    recoveryCodes,
    notifications: before,
    old,
    twoFactor,
  }: Lasting & Page['props'] = current.props
  const props: Lasting & Page['props'] = answer.props
  const { notifications: now, onlyUnread } = props
  const doCodesHold = haveCodesStayed(twoFactor, props.twoFactor)
  return {
    ...answer,
    props: {
      ...(recoveryCodes && doCodesHold ? { recoveryCodes } : {}),
      ...(old && hasErrors(answer) ? { old } : {}),
      ...answer.props,
      ...(before &&
        now && { notifications: onlyUnread ? keepShown(before, now) : keepNew(before, now) }),
    },
    flash: { ...inPlace, ...(made && doCodesHold && { recoveryCodes: made }), ...answer.flash },
  }
}

/**
 * Whether the account has no recovery codes but those that it had, some of which may have been used. Others have been
 * made in another tab: whoever printed the former ones would be locked out.
 */
function haveCodesStayed(before?: TwoFactor, now?: TwoFactor): boolean {
  if (!before || !now) return true
  return now.enabled && now.codeMarks.every((mark) => before.codeMarks.includes(mark))
}

/** Whether an answer shows the same page to the same user. */
export function isSamePage(current: Page, answer: Page): boolean {
  const isSameUser = answer.props.auth.user?.id === current.props.auth.user?.id
  return isSameUser && answer.component === current.component
}

/** Whether a page shows content that is lost once it is left. */
export function showsOnce({ flash, props }: Page): boolean {
  const { success: _told, error: _toldToo, ...inPlace } = flash
  const { recoveryCodes }: Lasting & Page['props'] = props
  return recoveryCodes !== undefined || Object.keys(inPlace).length > 0
}

/** Counts the unread notifications, with those that the page lists as new: showing them has made them read. */
export function countUnread(page: Page): number {
  return page.props.bell.unread + listedNew(page).length
}

/** Whether a reload brought a notification. The page lists twenty: each new one may push another off the list. */
export function hasArrived(before: Page, now: Page): boolean {
  const newest = Math.max(0, ...listed(before).map(({ id }) => id))
  return countUnread(now) > countUnread(before) || listedNew(now).some(({ id }) => id > newest)
}

function listedNew(page: Page): NotificationList['data'] {
  return listed(page).filter(({ unread }) => unread)
}

function listed({ props }: Page): NotificationList['data'] {
  const { notifications }: Lasting & Page['props'] = props
  return notifications?.data ?? []
}

function hasErrors({ props }: Page): boolean {
  return Object.keys(props.errors).length > 0
}

function keepNew(before: NotificationList, now: NotificationList): NotificationList {
  const isNew = new Set(before.data.filter(({ unread }) => unread).map(({ id }) => id))
  const data = now.data.map((line) => ({ ...line, unread: line.unread || isNew.has(line.id) }))
  return { ...now, data }
}

/** Keeps the shown notifications of the unread list, read by now, below those that have arrived since. */
function keepShown(before: NotificationList, now: NotificationList): NotificationList {
  const shownIds = new Set(before.data.map(({ id }) => id))
  return { ...before, data: [...now.data.filter(({ id }) => !shownIds.has(id)), ...before.data] }
}
