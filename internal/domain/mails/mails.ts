import * as words from '../../../web/contract/words/mails.ts'
import type { MailWords } from '../../../web/contract/words/mails.ts'
import { layOut, type Mail, type MailTo } from './layout.ts'

export function verifyMail(to: MailTo): Mail {
  return layOut(words.verifyMail, to)
}

export function resetMail(to: MailTo): Mail {
  return layOut(words.resetMail, to)
}

/** In place of the reset mail, for an account that has no password. */
export function setPasswordMail(to: MailTo): Mail {
  return layOut(words.setPasswordMail, to)
}

/** To an email that has no account yet. */
export function registrationMail(to: MailTo): Mail {
  return layOut(words.registrationMail, to)
}

/** Tells of a change of the account, and when it was. */
export function noticeMail(notice: MailWords, { at, ...to }: MailTo & { at: Date }): Mail {
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
