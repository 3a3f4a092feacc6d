import type { Examples } from './example.ts'
import { ann, fresh, odd, read, unverified, withCodes, withoutPassword } from './people.ts'

const auth = { user: ann }
const none = { passkeys: 0, codesLeft: null, codesSaved: false }
const codes = { passkeys: 1, codesLeft: 8, codesSaved: true }
const failed = { status: 500, message: 'This is our fault.' }
const list = (page: number, pages: number) => ({
  notifications: { data: [fresh, read], page, pages, total: 21 },
})
const empty = { data: [], page: 1, pages: 1, total: 0 }

/** Examples of the dashboard, the notifications and the error page. */
export const ofAccounts = {
  Dashboard: {
    'of a new account': { ...none, auth },
    'of an account that is not verified': { ...none, auth: { user: unverified } },
    'of an odd name, with a photo and much unread': {
      ...none,
      passkeys: 2,
      auth: { user: odd },
      bell: { unread: 120 },
    },
    'with one unread': { ...none, auth, bell: { unread: 1 } },
    'with a flash': { ...none, auth, flash: { success: 'Your email is verified.' } },
    'without a password': { ...none, passkeys: 1, auth: { user: withoutPassword } },
    'with few codes': { ...codes, codesLeft: 1, auth: { user: withCodes } },
    'with codes that are not saved': { ...codes, codesSaved: false, auth: { user: withCodes } },
    'with all done': { ...codes, auth: { user: { ...odd, twoFactor: true } } },
  },
  Error: {
    'to a guest': { status: 404, message: 'There is no page here.' },
    'to a user': { status: 403, message: 'This is not yours.', auth, bell: { unread: 3 } },
    busy: { status: 503, message: 'Try again.', again: '/settings/profile?a=1&b=2' },
    'without an answer': { status: 0, message: 'Not there.', again: '/dashboard', auth },
    'of a status without words': { status: 418, message: '' },
    'with a reference': { ...failed, auth, reference: 'abcdefghijklmnopqrstuvwxyz' },
    'with all': {
      ...failed,
      again: '/login',
      reference: 'abcdefghijklmnopqrstuvwxyz',
      detail: 'Error: <broken>\n    at "somewhere" (it)\n    at else',
    },
  },
  Notifications: {
    none: { notifications: empty, onlyUnread: false, auth },
    'none unread': { notifications: empty, onlyUnread: true, auth },
    'one page': { ...list(1, 1), onlyUnread: false, auth, bell: { unread: 1 } },
    'the first page': { ...list(1, 3), onlyUnread: false, auth },
    'the second page': { ...list(2, 3), onlyUnread: false, auth },
    'the last page': { ...list(3, 3), onlyUnread: false, auth },
    'unread of several pages': { ...list(1, 3), onlyUnread: true, auth },
  },
} satisfies Examples
