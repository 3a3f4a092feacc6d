import type { Examples } from './example.ts'
import { ann, sent, withoutPassword } from './people.ts'

const links = { terms: 'https://example.com/terms?a=1&b', privacy: 'https://example.com/privacy' }
const { terms, privacy } = links
const errors = { email: 'Not “this” one & <no> other.', password: 'Too short.' }
const passkeyError = { credential: 'No passkey came.' }
const old = { name: 'Ann "A" <Lee>', email: 'ann@example.com' }
const againAllowed = { ...sent, seconds: 0 }
const twoSubjects = { ...sent, subjects: ['Reset it', 'Set it'], from: null }
const passkeyLink = { email: 'a+b@x.test', name: 'Ann & Bob', token: 'a.b' }

/** Examples of the pages before a login. */
export const guestExamples = {
  Home: {
    'to a guest': {},
    'to a user': { auth: { user: ann } },
    'after a logout': { flash: { success: 'You are logged out.' } },
    'after a failure': { flash: { error: 'Ask again.' } },
  },
  'Auth/Login': {
    empty: {},
    'with errors and what was typed': {
      errors: { ...errors, ...passkeyError },
      old: { ...old, remember: 'on' },
    },
    'with an error': { errors },
    'with what was typed': { old },
    'with both kinds of flash': { flash: { success: 'Done.', error: 'Not done.' } },
  },
  'Auth/Register': {
    empty: {},
    'with errors': { errors: { ...errors, name: 'Missing.' }, old },
    'with terms': { links: { terms } },
    'with privacy': { links: { privacy } },
    'with both': { links },
    'with another address': { typed: old },
    sent: { sent },
    'sent, with an error': { sent: againAllowed, errors },
  },
  'Auth/VerifyEmail': {
    waiting: { email: ann.email, sent, auth: { user: ann } },
    'to be asked again': { email: ann.email, sent: againAllowed, auth: { user: ann } },
    'with an error': { email: ann.email, sent: twoSubjects, errors, auth: { user: ann } },
  },
  'Auth/ForgotPassword': {
    empty: {},
    'with an error': { errors, old },
    'with another address': { typed: old },
    sent: { sent },
    'sent with either subject': { sent: twoSubjects },
  },
  'Auth/ResetPassword': {
    valid: { token: 'a.b', email: ann.email, valid: true },
    'with errors': { token: 'a.b', email: ann.email, valid: true, errors },
    over: { token: 'a.b', email: ann.email, valid: false },
    'over, with an error': { token: 'a.b', email: ann.email, valid: false, errors },
    'over, and whose is not known': { token: 'a.b', email: '', valid: false },
  },
  'Auth/ConfirmPassword': {
    'by password': { passkey: false, auth: { user: ann } },
    'by either': { passkey: true, auth: { user: ann }, errors: { ...errors, ...passkeyError } },
    'by passkey': { passkey: true, auth: { user: withoutPassword } },
    'by passkey, with an error': {
      passkey: true,
      auth: { user: withoutPassword },
      errors: passkeyError,
    },
  },
  'Auth/TwoFactorChallenge': {
    empty: {},
    'with an error of the code': { errors: { code: 'Wrong.' } },
    'with an error of the recovery code': { errors: { recovery_code: 'Wrong.' } },
  },
  'Auth/RegisterPasskey': {
    plain: passkeyLink,
    'with terms': { ...passkeyLink, links: { terms } },
    'with privacy and an error': { ...passkeyLink, links: { privacy }, errors: passkeyError },
  },
} satisfies Examples
