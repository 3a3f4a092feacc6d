import { abilities } from '../abilities.ts'
import { mostPasskeys } from '../limits.ts'
import type { Examples } from './example.ts'
import {
  ann,
  otherLogin,
  currentLogin,
  passkey,
  syncedPasskey,
  token,
  twoFactor,
  unusedToken,
  unverified,
  withCodes,
  withMarkupName,
  withoutPassword,
} from './people.ts'

const auth = { user: ann }
const profile = { auth, passkey: false, signal: null }
const security = {
  auth,
  logins: [currentLogin],
  moreLogins: false,
  passkeys: [],
  twoFactor: twoFactor.off,
  apiTokens: 0,
  signal: null,
}
const withTwoFactor = { ...security, auth: { user: withCodes } }
const recoveryCodes = ['aaaaa-11111', 'bbbbb-22222']
const mostAllowed = Array.from({ length: mostPasskeys }, (_, id) => ({ ...passkey, id }))
const tokens = {
  auth,
  tokens: [],
  expired: [],
  abilities,
  tryAt: 'https://example.com/api/user',
}
const userSignal = { rpId: 'example.com', userId: 'AQ', name: 'ann', displayName: '"Ann"' }
const passkeysSignal = { rpId: 'example.com', userId: 'AQ', allAcceptedCredentialIds: ['a', 'b'] }

/** Examples of the pages of the settings. */
export const settingsExamples = {
  'Settings/Profile': {
    plain: profile,
    'not verified': { ...profile, auth: { user: unverified } },
    'with a photo and a passkey': {
      auth: { user: withMarkupName },
      passkey: true,
      signal: userSignal,
    },
    'with errors and what was typed': {
      ...profile,
      errors: { name: 'Missing.', email: 'Taken.', password: 'Wrong.', photo: 'No photo.' },
      old: { name: '', email: 'x' },
    },
    'without a password': { ...profile, passkey: true, auth: { user: withoutPassword } },
    'without a password, with an error': {
      ...profile,
      passkey: true,
      auth: { user: withoutPassword },
      errors: { credential: 'No passkey came.' },
    },
  },
  'Settings/Security': {
    plain: security,
    'with several browsers': {
      ...security,
      logins: [currentLogin, otherLogin, { ...otherLogin, id: 'c3', device: 'tablet' }],
      moreLogins: true,
      apiTokens: 2,
    },
    'with passkeys': { ...security, passkeys: [passkey, syncedPasskey], signal: passkeysSignal },
    'with as many passkeys as may be': { ...security, passkeys: mostAllowed },
    'with nothing missing': { ...withTwoFactor, passkeys: [passkey], twoFactor: twoFactor.on },
    'with a passkey alone': {
      ...security,
      auth: { user: withoutPassword },
      passkeys: [passkey],
    },
    'with errors': {
      ...security,
      errors: { current_password: 'Wrong.', password: 'Too short.', name: 'Long.', code: 'No.' },
    },
    'with an error of the passkey': {
      ...security,
      errors: { credential: 'None came.' },
      old: { name: 'Laptop' },
    },
    'two-factor login is being set up': { ...security, twoFactor: twoFactor.settingUp },
    'a wrong code while it is set up': {
      ...security,
      twoFactor: twoFactor.settingUp,
      errors: { code: 'Wrong.' },
    },
    'two-factor login is on': { ...withTwoFactor, twoFactor: twoFactor.on },
    'two-factor login is on without a password': {
      ...security,
      auth: { user: { ...withCodes, password: false } },
      passkeys: [passkey],
      twoFactor: twoFactor.on,
    },
    'codes that were just made': {
      ...withTwoFactor,
      twoFactor: twoFactor.unsaved,
      flash: { recoveryCodes },
    },
    'codes that were asked for': { ...withTwoFactor, twoFactor: twoFactor.on, recoveryCodes },
    'codes that cannot be shown': {
      ...withTwoFactor,
      twoFactor: twoFactor.on,
      recoveryCodes: [],
    },
    'few codes': { ...withTwoFactor, twoFactor: twoFactor.few },
    'no codes': { ...withTwoFactor, twoFactor: twoFactor.used },
  },
  'Settings/Tokens': {
    none: tokens,
    some: { ...tokens, tokens: [token, unusedToken], expired: [1] },
    'none expired': { ...tokens, tokens: [token] },
    'just made': { ...tokens, tokens: [unusedToken], flash: { token: '1|abc', tokenId: 2 } },
    'just made and revoked since': { ...tokens, flash: { token: '1|abc', tokenId: 2 } },
    'with errors and what was typed': {
      ...tokens,
      errors: { name: 'Missing.', abilities: 'Choose.', expiry: 'Choose.' },
      old: { name: 'CI', abilities: 'user:read *', expiry: 'never' },
    },
  },
  'Settings/Appearance': {
    plain: { auth },
    'with an error': { auth, errors: { language: 'Not one of these.' } },
  },
} satisfies Examples
