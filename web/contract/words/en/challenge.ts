import { codeDigits } from '../../limits.ts'
import { inWords } from './numbers.ts'

/** The page that a login waits for its code on. */
export const challenge = {
  heading: 'Confirm your login',
  lead: 'Your password is right. Enter a code to finish logging in.',
  codeHint: `The ${inWords(codeDigits)} digits that your authenticator app shows now.`,
  recovery: 'Use a recovery code instead',
  recoveryHint: 'One of the eight that you kept when you turned this on. Each works once.',
  app: 'Use the authenticator app instead',
  other: 'Not your login?',
  back: 'Back to log in',
} as const

/** The page that the mailed link of a new account leads to. */
export const registerPasskey = {
  heading: 'Make your passkey',
  lead: (name: string) => `One step is left, ${name}. The account is made for this email:`,
  about:
    'A passkey takes the place of a password: this device keeps it, and asks for your finger, your face or the code of its screen.',
  unable:
    'Your browser cannot make a passkey at present. That needs JavaScript, and a browser of the last few years.',
  other: 'Rather have a password?',
} as const
