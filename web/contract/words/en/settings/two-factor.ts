import { isolated } from '../../isolated.ts'
import { codeDigits } from '../../../limits.ts'
import { plural } from '../../plural.ts'
import { inWords } from '../format/numbers.ts'

export const copying = {
  done: 'Copied.',
  failed: 'This could not be copied. It is selected now: copy it by hand.',
} as const

/** Two-factor login on the security page. */
export const twoFactor = {
  heading: 'Two-factor login',
  lead: 'After your password you enter a code that an app on your phone shows. That way nobody gets in with your password alone.',
  leadNoPassword:
    'You log in with a passkey, which asks for no code. Codes count once you have a password too: then nobody gets in with that alone.',
  on: 'Two-factor login is on.',
  scan: 'Scan this with an authenticator app',
  scanText: 'Such as Aegis, 1Password, Google Authenticator or Apple Passwords.',
  qr: 'The key as a QR picture, to be scanned by an authenticator app',
  typed: 'Or type this key into the app',
  copyKey: 'Copy key',
  open: 'Open in the app on this device',
  codeSent: 'The code is usually sent as soon as you enter its last digit.',
  confirm: `Then enter the ${inWords(codeDigits)} digits that it shows`,
  giveUp: 'Cancel',
  codes: 'Recovery codes',
  codesText:
    'Each logs you in once, in place of a code. Keep them where you can find them without your phone.',
  shownNow: 'You see them until you leave this page, and can have them shown again later.',
  /** Without JavaScript the codes cannot be shown again. */
  shownOnce: 'You see them this once: save them before you leave this page.',
  left: (count: number) =>
    plural('en', count, {
      one: 'One recovery code is left.',
      other: '# recovery codes are left.',
    }),
  notSaved: 'You have not saved them yet.',
  saved: 'I have saved them',
  few: (count: number) =>
    count === 0
      ? 'No recovery code is left. Make new ones: without your phone you could not log in.'
      : plural('en', count, {
          one: 'Only one recovery code is left. Make new ones before it is used up.',
          other: 'Only # recovery codes are left. Make new ones before they are used up.',
        }),
  of: (email: string) => `Recovery codes of ${isolated(email)}`,
  copy: 'Copy',
  download: 'Download',
  print: 'Print',
  sure: 'Turn off two-factor login?',
  sureText: 'Your password alone then logs you in, and your recovery codes no longer work.',
  sureTextNoPassword:
    'Your recovery codes then no longer work. Once you have a password too, it alone logs you in.',
  keep: 'Keep it on',
} as const
