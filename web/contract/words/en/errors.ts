import * as limits from '../../limits.ts'
import { grouped } from '../grouped.ts'
import { beginningInWords, inWords } from './format/numbers.ts'

/** What is wrong with a field or a form, and what to do. */
export const errorWords = {
  required: 'Fill in this field.',
  email: 'Enter an email address, such as ann@example.com.',
  emailLong: `Enter an email address of at most ${limits.longestEmail} characters.`,
  nameLong: `Enter a name of at most ${limits.longestName} characters.`,
  control: 'Remove the characters that cannot be shown.',
  passwordShort: `Use at least ${limits.shortestPassword} characters.`,
  passwordLong: `Use at most ${limits.longestPassword} characters.`,
  passwordMismatch: 'The two passwords are not the same.',
  taken: 'This email already has an account. Log in instead, or use another email.',
  wrongPassword: 'This is not your password.',
  noPassword: 'Your account has no password yet. Set one on the security page first.',
  linkInvalid: 'This link is no longer valid. Ask for another.',
  wrongLogin: 'This email and password do not match an account.',
  invalid: 'Some fields need another look.',
  takenByOther: 'Another account has this email. Use another one.',
  photoMissing: 'Choose a photo first.',
  photoType: 'Choose a photo that is a PNG, a JPEG or a WebP.',
  photoParts: 'This photo is in too many parts. Save it as a JPEG, and choose that.',
  photoLarge: `Choose a photo of at most ${limits.photoMegabytes} MB.`,
  photoAgain: 'The photo could not be saved. Upload it again.',
  photoWide: `Choose a photo of at most ${grouped(limits.widestPhoto, ',')} pixels a side.`,
  wrongCode: 'This code is not right, or it was used before. Take the one that is shown now.',
  wrongRecoveryCode: 'This is not one of your recovery codes, or it was used before.',
  codesLost:
    'No code can be checked for this account right now. Ask the people who run this service for help.',
  codeMissing: 'Enter the code of your authenticator app, or one of your recovery codes.',
  setUpOver: 'Setup took too long. Start again.',
  setUpAnew:
    'Setup was started again in another tab. Scan the code above once more: it has changed.',
  twoFactorIsOn: 'Two-factor login is on already. Turn it off first to set up another app.',
  twoFactorIsOff: 'Two-factor login is off. Turn it on first.',
  passkeyRefused: 'This passkey could not be used. Try again, or use another way.',
  passkeyUnknown: 'No account here has this passkey. Use another one, or another way to log in.',
  passkeyOver: 'This took too long. Try again.',
  passkeyEarly: 'The page was not ready for passkeys yet. Press the button once more.',
  passkeyTaken: 'This passkey was added before.',
  passkeysFull: `You have ${inWords(limits.mostPasskeys)} passkeys, which is the most. Remove one first.`,
  lastWayIn: 'Add a password or another passkey first: an account needs a way in.',
  passkeysAbsent: 'Passkeys do not work at this address.',
  passkeysNone: 'You have no passkey yet. Add one on the security page first.',
  passkeyFirst: 'Add a passkey first: an account needs a way in.',
  ownLogin: 'This is the browser you are using. Log out from the menu instead.',
  abilityMissing: 'Choose at least one thing that the token may do.',
  abilityUnknown: 'There is no such ability. Choose one of those offered.',
  expiryUnknown: 'Choose when the token expires: in 30 days, in a year, or never.',
  tokensFull: `You have ${limits.mostTokens} API tokens, which is the most. Revoke one first.`,
  languageUnknown: 'Choose one of the languages that are offered.',
  streams: `${beginningInWords(limits.mostStreams)} pages are open with your account already, here or on other devices. Close one of them.`,
} as const

export function tryAgainIn(seconds: number): string {
  return `Too many tries. Try again in ${seconds} seconds.`
}
