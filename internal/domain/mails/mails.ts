import * as words from '#words/mails'
import type { MailWords } from '#words/mails'
import { layOut, type MailTo } from './layout.ts'
import type { Message } from '../../base/mail.ts'

/** An address that may be a stranger's. */
interface Unproven {
  readonly address: string
  readonly link: string
  readonly links: MailTo['links']
}

/** The mails that guests ask for. */
export type AskedMail = 'reset' | 'register'

/** What the mail that somebody asked for is called; which of two it is would tell that the account has no password. */
export function mailSubjects(mail: AskedMail | 'verify'): readonly string[] {
  const { resetMail, setPasswordMail, registrationMail, verifyMail } = words
  const called = {
    reset: [resetMail, setPasswordMail],
    register: [registrationMail],
    verify: [verifyMail],
  }
  return called[mail].map(({ subject }) => subject)
}

/** Nobody is greeted by name before the email is verified. */
export function verifyMail({ address, ...addresses }: Unproven): Message {
  return layOut(words.verifyMail, { to: { address }, ...addresses })
}

export function resetMail(to: MailTo): Message {
  return layOut(words.resetMail, to)
}

/** In place of the reset mail, for an account that has no password. */
export function setPasswordMail(to: MailTo): Message {
  return layOut(words.setPasswordMail, to)
}

/** To an email that has no account yet. */
export function registrationMail({ address, ...addresses }: Unproven): Message {
  return layOut(words.registrationMail, { to: { address }, ...addresses })
}

/** Tells of a change of the account, and when it was. */
export function noticeMail(notice: MailWords, { at, ...to }: MailTo & { at: Date }): Message {
  const facts = [...(notice.facts ?? []), [words.mailLayout.when, utc(at)] as const]
  return layOut({ ...notice, facts }, to)
}

const time = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
})

function utc(at: Date): string {
  return `${time.format(at)} UTC`
}
