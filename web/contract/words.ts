import { appName } from './name.ts'
import type { Page, PageName } from './pages.ts'

export const titles: Readonly<Record<PageName, string>> = {
  Home: `${appName} · Accounts, ready to build on`,
  Dashboard: 'Dashboard',
  Error: 'This could not be answered',
  'Auth/Login': 'Log in',
  'Auth/Register': 'Create account',
  'Auth/VerifyEmail': 'Verify your email',
  'Auth/ForgotPassword': 'Forgotten password',
  'Auth/ResetPassword': 'Set a password',
  'Auth/ConfirmPassword': 'Confirm your password',
}

const errorTitles: Readonly<Record<number, string>> = {
  403: 'This is not open to you',
  404: 'There is no page here',
  500: 'Something went wrong',
  503: 'Busy at the moment',
}

/** What an error page is called, in its heading too; a status that is not listed shares the page's title. */
export function errorTitle(status: number): string {
  return errorTitles[status] ?? titles.Error
}

/** The document's title: the page's own, and whose page it is. */
export function titleOf({ component, props }: Page): string {
  if (component === 'Home') return titles.Home
  const title = 'status' in props ? errorTitle(props.status) : titles[component]
  return `${title} · ${appName}`
}

export const descriptions: Partial<Record<PageName, string>> = {
  Home: 'Registering and logging in, in one executable over one file.',
}

export const labels = {
  name: 'Name',
  email: 'Email',
  password: 'Password',
  confirmPassword: 'Confirm password',
  newPassword: 'New password',
  passwordHint: 'At least 8 characters. A few words in a row are easy to keep in mind.',
  remember: 'Remember me for 30 days',
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
  home: 'Go to the start page',
} as const

/** What the page client says by itself. */
export const clientWords = {
  gone: 'The server cannot be reached. What you typed is still here: try again in a moment.',
  notAPage: 'The answer was not a page. What you typed is still here: try again in a moment.',
  dismiss: 'Dismiss',
} as const

/**
 * What the server says. Every sentence and label that a person reads stands in this file or in `words/`, once for all
 * frontends (contract: Words of the pages). They are separate exports and files so that a page loads no others'.
 */
export const words = {
  errors: {
    required: 'Fill in this field.',
    email: 'Enter an email address, such as ann@example.com.',
    emailLong: 'Enter an email address of at most 254 characters.',
    nameLong: 'Enter a name of at most 200 characters.',
    control: 'Remove the characters that cannot be shown.',
    passwordShort: 'Use at least 8 characters.',
    passwordLong: 'Use at most 200 characters.',
    passwordMismatch: 'The two passwords are not the same.',
    taken: 'This email already has an account. Log in instead, or use another email.',
    wrongPassword: 'This is not your password.',
    linkInvalid: 'This link is no longer valid. Ask for another.',
    wrongLogin: 'This email and password do not match an account.',
    invalid: 'Some fields need another look.',
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
    passwordSet: 'Your password is set.',
    linkSent: 'Another link is on its way.',
    linkExpired: 'This link has expired. Have another one sent.',
    verified: 'Your email is verified.',
  },
} as const
