import { isolated } from '../../isolated.ts'
import { codeDigits } from '../../../limits.ts'
import { inWords } from '../format/numbers.ts'

/** The page where a login asks for its code. */
export const challenge = {
  heading: 'Confirm your login',
  lead: 'One step is left: enter a code to finish logging in.',
  codeHint: `The ${inWords(codeDigits)} digits that your authenticator app shows now.`,
  codeSent: 'The code is usually sent as soon as you enter the last one.',
  recovery: 'Use a recovery code instead',
  recoveryHint: 'One of the codes that you saved. Each works once.',
  app: 'Use the authenticator app instead',
  other: 'Not your login?',
  back: 'Back to log in',
} as const

/** The page for a new account's passkey, where the mailed link leads. */
export const registerPasskey = {
  heading: 'Make your passkey',
  lead: (name: string) => `One more step, ${isolated(name)}. Your account will have this email:`,
  about:
    'A passkey takes the place of a password: this device keeps it, and asks for your fingerprint, your face or its PIN.',
  unable:
    'Your browser cannot make a passkey right now. That needs JavaScript and a recent browser.',
  other: 'Prefer a password?',
} as const
