import * as limits from './limits.ts'
import type { PageName } from './pages.ts'
import { beginningInWords, inWords } from './words/numbers.ts'

export const descriptions: Partial<Record<PageName, string>> = {
  Home: 'Registering and logging in, in one executable over one file.',
}

export const labels = {
  name: 'Name',
  email: 'Email',
  password: 'Password',
  confirmPassword: 'Confirm password',
  newPassword: 'New password',
  currentPassword: 'Current password',
  passwordHint: `At least ${limits.shortestPassword} characters. A few words in a row are easy to keep in mind.`,
  remember: `Remember me for ${limits.rememberedDays} days`,
  code: 'Code',
  recoveryCode: 'Recovery code',
  showPassword: 'Show password',
} as const

export const buttons = {
  createAccount: 'Create account',
  logIn: 'Log in',
  logOut: 'Log out',
  sendResetLink: 'Send reset link',
  setPassword: 'Set password',
  confirm: 'Confirm',
  resend: 'Resend verification email',
  dashboard: 'Go to the dashboard',
  dashboardShort: 'Dashboard',
  home: 'Go to the start page',
  save: 'Save',
  uploadPhoto: 'Upload photo',
  removePhoto: 'Remove photo',
  deleteAccount: 'Delete account',
  remove: 'Remove',
  logOutOthers: 'Log out of every other browser',
  logInPasskey: 'Log in with a passkey',
  usePasskeyInstead: 'Use a passkey instead',
  makePasskey: 'Make your passkey',
  usePasskey: 'Use a passkey',
  addPasskey: 'Add a passkey',
  turnOnTwoFactor: 'Turn on two-factor login',
  turnOffTwoFactor: 'Turn off two-factor login',
  showRecoveryCodes: 'Show my recovery codes',
  newRecoveryCodes: 'Make new recovery codes',
} as const

/**
 * What the server says. Every sentence and label that a person reads stands in this file or in `words/`, once for all
 * frontends (contract: Words of the pages). They are separate exports and files so that a page loads no others'.
 */
export const words = {
  errors: {
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
    photoLarge: `Choose a photo of at most ${limits.photoMegabytes} MB.`,
    photoAgain: 'The photo could not be saved. Send it again.',
    photoWide: `Choose a photo of at most ${limits.widestPhoto.toLocaleString('en')} pixels a side.`,
    wrongCode: 'This code is not right, or it was used before. Take the one that is shown now.',
    wrongRecoveryCode: 'This is none of your recovery codes, or it was used before.',
    codesLost:
      'No code can be checked for this account at present. Ask the people who run this service for help.',
    codeMissing: 'Enter the code of your authenticator app, or one of your recovery codes.',
    setUpOver: 'Setting up took too long. Begin again.',
    twoFactorIsOn: 'Two-factor login is on already. Turn it off first to set up another app.',
    twoFactorIsOff: 'Two-factor login is off. Turn it on first.',
    passkeyRefused: 'This passkey could not be used. Try again, or use another way.',
    passkeyUnknown: 'No account here has this passkey. Use another one, or another way to log in.',
    passkeyOver: 'This took too long. Try again.',
    passkeyTaken: 'This passkey is there already.',
    passkeysFull: `You have ${inWords(limits.mostPasskeys)} passkeys, which is the most. Remove one first.`,
    lastWayIn: 'Add a password or another passkey first: an account needs a way in.',
    passkeysAbsent: 'Passkeys do not work at this address.',
    passkeysNone: 'You have no passkey yet. Add one on the security page first.',
    passkeyFirst: 'Add a passkey first: an account needs a way in.',
    ownLogin: 'This is the browser you are using. Log out from the menu instead.',
    abilityMissing: 'Choose at least one thing that the token may do.',
    abilityUnknown: 'Choose from what is offered: there is no such ability.',
    expiryUnknown: 'Choose when the token expires: in 30 days, in a year, or never.',
    tokensFull: `You have ${limits.mostTokens} API tokens, which is the most. Revoke one first.`,
    streams: `${beginningInWords(limits.mostStreams)} pages of yours are open for events already. Close one of them.`,
    wait: (seconds: number) => `Too many tries. Try again in ${seconds} seconds.`,
  },
  /** Why a request that wants JSON was turned away. */
  guards: {
    users: 'Log in first.',
    verified: 'Verify your email first.',
    confirmed: 'Confirm that it is you first.',
  },
  flash: {
    loggedOut: 'You are logged out.',
    resetSent: 'If this email has an account, a reset link is on its way.',
    passwordSet: 'Your password is set. Passkeys and API tokens stay as they are.',
    passwordSetKeysRemoved:
      'Your password is set. The passkeys and API tokens of the account are removed, since its email was not verified before.',
    linkSent: 'Another link is on its way.',
    linkExpired: 'This link has expired. Have another one sent.',
    verified: 'Your email is verified.',
    otherVerified: 'The link has verified the email of another account, not of this one.',
    profileSaved: 'Your profile is saved.',
    emailChanged: 'Your profile is saved. Follow the link that we mail to your new email.',
    photoSaved: 'Your photo is saved.',
    photoRemoved: 'Your photo is removed.',
    accountDeleted: 'Your account is deleted.',
    passwordChanged: 'Your password is changed, and every other browser is logged out.',
    passwordRemoved: 'Your password is removed, and every other browser is logged out.',
    browserLoggedOut: 'That browser is logged out.',
    registrationSent: 'Open the link that we mailed to you, and make your passkey there.',
    registrationOver: 'This link has expired or was changed. Ask for another one.',
    registrationDone: 'This email has an account already. Log in.',
    twoFactorOn:
      'Two-factor login is on. Keep the recovery codes where you find them without your phone.',
    twoFactorOff: 'Two-factor login is off.',
    setUpGivenUp: 'Two-factor login stays off.',
    waitOver: 'It took too long until a code came. Log in again.',
    fewCodes: (left: number) =>
      left === 0
        ? 'You are logged in with your last recovery code. Make new ones on the security page.'
        : `You are logged in. Of your recovery codes ${left === 1 ? 'one is' : `${left} are`} left: make new ones on the security page.`,
    recoveryCodesMade: 'These are your new recovery codes. The old ones are good no more.',
    passkeyAdded: 'Your passkey is added.',
    passkeyRenamed: 'Your passkey has its new name.',
    passkeyRemoved: 'The passkey is removed.',
    othersLoggedOut: 'Every other browser is logged out.',
    tokenMade: 'Your token is made. Copy it now: it is not shown again.',
    tokenRevoked: 'The token is revoked.',
  },
} as const
