/** What stands in place of a form that had a mail sent, and on the page that waits for the email to be verified. */
export const mailSent = {
  heading: 'Check your mail',
  subject: 'Subject',
  /** Of two mails it is the one or the other: the second goes to an account that has no password. */
  subjects: (reset: string, set: string) => `“${reset}” or “${set}”`,
  from: 'From',
  hint: 'Nothing there after a few minutes? Look in your spam folder, then send it again.',
  again: 'Send again',
  /** While it may not be pressed yet; told each second. */
  againIn: (seconds: number) => `Send again in ${seconds} s`,
  /** Told to a screen reader, once. */
  canAgain: 'You can send the mail again now.',
  wrong: 'Wrong address?',
  another: 'Use another one',
  change: 'Change it',
} as const
