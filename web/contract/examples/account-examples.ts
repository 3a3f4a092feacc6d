import type { Examples } from './example.ts'
import {
  ann,
  readNotification,
  unreadNotification,
  unverified,
  withMarkupName,
  withCodes,
  withoutPassword,
} from './people.ts'

const auth = { user: ann }
const nothingDone = { passkeys: 0, codesLeft: null, codesSaved: false }
const savedCodes = { passkeys: 1, codesLeft: 8, codesSaved: true }
const serverError = { status: 500, message: 'This is our fault.' }
const listPage = (page: number, pages: number) => ({
  notifications: { data: [unreadNotification, readNotification], page, pages, total: 21 },
})
const emptyList = { data: [], page: 1, pages: 1, total: 0 }

/** Examples of the dashboard, the notifications and the error page. */
export const accountExamples = {
  Dashboard: {
    'of a new account': { ...nothingDone, auth },
    'of an account that is not verified': { ...nothingDone, auth: { user: unverified } },
    'of an odd name, with a photo and much unread': {
      ...nothingDone,
      passkeys: 2,
      auth: { user: withMarkupName },
      bell: { unread: 120 },
    },
    'with one unread': { ...nothingDone, auth, bell: { unread: 1 } },
    'with a flash': { ...nothingDone, auth, flash: { success: 'Your email is verified.' } },
    'without a password': { ...nothingDone, passkeys: 1, auth: { user: withoutPassword } },
    'with few codes': { ...savedCodes, codesLeft: 1, auth: { user: withCodes } },
    'with codes that are not saved': {
      ...savedCodes,
      codesSaved: false,
      auth: { user: withCodes },
    },
    'with all done': { ...savedCodes, auth: { user: { ...withMarkupName, twoFactor: true } } },
  },
  Error: {
    'to a guest': { status: 404, message: 'There is no page here.' },
    'to a user': { status: 403, message: 'This is not yours.', auth, bell: { unread: 3 } },
    busy: { status: 503, message: 'Try again.', again: '/settings/profile?a=1&b=2' },
    'without an answer': { status: 0, message: 'Not there.', again: '/dashboard', auth },
    'of a status without words': { status: 418, message: '' },
    'with a reference': { ...serverError, auth, reference: 'abcdefghijklmnopqrstuvwxyz' },
    'with all': {
      ...serverError,
      again: '/login',
      reference: 'abcdefghijklmnopqrstuvwxyz',
      detail: 'Error: <broken>\n    at "somewhere" (it)\n    at else',
    },
  },
  Notifications: {
    none: { notifications: emptyList, onlyUnread: false, auth },
    'none unread': { notifications: emptyList, onlyUnread: true, auth },
    'one page': { ...listPage(1, 1), onlyUnread: false, auth, bell: { unread: 1 } },
    'the first page': { ...listPage(1, 3), onlyUnread: false, auth },
    'the second page': { ...listPage(2, 3), onlyUnread: false, auth },
    'the last page': { ...listPage(3, 3), onlyUnread: false, auth },
    'unread of several pages': { ...listPage(1, 3), onlyUnread: true, auth },
  },
} satisfies Examples
