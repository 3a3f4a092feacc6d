/** For what replaces a form that sent a mail, and for the page that waits for the email to be verified. */
export const mailSent = {
  heading: 'Check your mail',
  subject: 'Subject',
  /** The mail has one of the two subjects: the second if the account has no password. */
  subjects: (reset: string, set: string) => `“${reset}” or “${set}”`,
  from: 'From',
  hint: 'Nothing there after a few minutes? Look in your spam folder, then send it again.',
  again: 'Send again',
  /** On the button while it must not be pressed yet; updated each second. */
  againIn: (seconds: number) => `Send again in ${seconds} s`,
  /** Announced once the button may be pressed again. */
  canAgain: 'You can send the mail again now.',
  wrong: 'Wrong address?',
  another: 'Use another one',
  change: 'Change it',
} as const
