import { plural } from '../plural.ts'
import { typedWords } from './client/typed.ts'

/** Flash messages about what was just done. */
export const flashWords = {
  loggedOut: 'You are logged out.',
  loginEnded: {
    noDraft: 'You were logged out. Log in to continue.',
    draftKept:
      'You were logged out. Log in to continue: what you typed is kept, and not saved yet.',
  },
  isLoggedIn: 'You are logged in already. To use another account, log out first.',
  cookiesRefused:
    'Your browser accepts no cookies from this site, and without them nobody can log in. Allow them in its settings, then log in.',
  anotherIsLoggedIn:
    'Somebody else has logged in here since this page was opened. Nothing was changed.',
  confirmFirst: {
    noDraft: 'It has been a while. Confirm that it is you, then try again.',
    draftKept:
      'It has been a while. Confirm that it is you: what you typed is kept, and not saved yet.',
  },
  typedBefore: typedWords.before,
  verifyFirst: 'You can open that page once your email is verified.',
  resetSent: 'If this email has an account, a reset link is on its way.',
  passwordSet: 'Your password is set. Passkeys and API tokens stay as they are.',
  passwordSetKeysRemoved:
    'Your password is set. The passkeys and API tokens of the account are removed, since its email was not verified before.',
  linkSent: 'Another link is on its way.',
  linkExpired: 'This link has expired. Ask for another one.',
  linkExpiredLogIn: 'This link has expired. Log in, and ask for another one.',
  linkExpiredVerified: 'This link has expired. Your email is verified already.',
  verified: 'Your email is verified.',
  otherVerified: 'The link has verified the email of another account, not of this one.',
  profileSaved: 'Your profile is saved.',
  emailChanged: 'Your profile is saved. Follow the link that we mail to your new email.',
  photoSaved: 'Your photo is saved.',
  photoRemoved: 'Your photo is removed.',
  accountDeleted: 'Your account is deleted.',
  passwordChanged:
    'Your password is changed, and every other browser is logged out. Passkeys and API tokens stay as they are.',
  passwordRemoved: 'Your password is removed, and every other browser is logged out.',
  browserLoggedOut: 'That browser is logged out.',
  registrationSent: 'Open the link that we mailed to you, and make your passkey there.',
  registrationOver: 'This link has expired or was changed. Ask for another one.',
  registerLoggedIn:
    'You are logged in already. To make another account with this link, unless it was used before, log out first.',
  resetLoggedIn:
    'You are logged in already. To set a password with this link, unless it was used before, log out first.',
  askLoggedIn: 'You are logged in already. To ask for a link to set a new password, log out first.',
  registrationDone: 'This email has an account already. Log in.',
  twoFactorOn:
    'Two-factor login is on. Keep the recovery codes where you can find them without your phone.',
  twoFactorOff: 'Two-factor login is off.',
  setUpGivenUp: 'Two-factor login stays off.',
  waitOver:
    'Entering the code took too long, it was sent twice, or your account was changed meanwhile. Log in again.',
  fewCodes: (left: number) =>
    left === 0
      ? 'You are logged in with your last recovery code. Make new ones on the security page.'
      : plural('en', left, {
          one: 'You are logged in. One recovery code is left: make new ones on the security page.',
          other:
            'You are logged in. # recovery codes are left: make new ones on the security page.',
        }),
  recoveryCodesMade: 'These are your new recovery codes. The old ones no longer work.',
  recoveryCodesSaved: 'Your recovery codes are saved.',
  recoveryCodesAreOld:
    'Those codes no longer work, since new ones were made meanwhile. Save the new ones, which are shown now.',
  passkeyAdded: 'Your passkey is added.',
  passkeyRenamed: 'Your passkey has its new name.',
  passkeyRemoved: 'The passkey is removed.',
  othersLoggedOut: 'Every other browser is logged out.',
  tokenMade: 'Your token is made. Copy it now: it is not shown again once you leave this page.',
  tokenRevoked: 'The token is revoked.',
} as const
