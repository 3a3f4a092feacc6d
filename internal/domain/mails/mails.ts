import { serverWords } from '../../../web/contract/words/server-words.ts'
import type { Language } from '../../../web/contract/languages.ts'
import { layOut, type MailTo } from './layout.ts'
import type { MailWords } from '../../../web/contract/mail-words.ts'
import type { Message } from '../../base/mail.ts'

/** An address that may be a stranger's. */
interface Unproven extends Omit<MailTo, 'to'> {
  readonly address: string
}

/** The mails that guests ask for. */
export type AskedMail = 'reset' | 'register'

/**
 * The subjects that a mail somebody asked for may have. Whoever asks is told both of a reset mail: one would tell
 * whether the account has a password.
 */
export function mailSubjects(mail: AskedMail | 'verify', language: Language): readonly string[] {
  const { reset, setPassword, registration, verify } = serverWords[language].mails
  const called = { reset: [reset, setPassword], register: [registration], verify: [verify] }
  return called[mail].map(({ subject }) => subject)
}

/** Nobody is greeted by name before the email is verified. */
export function verifyMail({ address, ...frame }: Unproven): Message {
  return layOut(serverWords[frame.language].mails.verify, { to: { address }, ...frame })
}

export function resetMail(to: MailTo): Message {
  return layOut(serverWords[to.language].mails.reset, to)
}

/** In place of the reset mail, for an account that has no password. */
export function setPasswordMail(to: MailTo): Message {
  return layOut(serverWords[to.language].mails.setPassword, to)
}

/** To an email that has no account yet. */
export function registrationMail({ address, ...frame }: Unproven): Message {
  return layOut(serverWords[frame.language].mails.registration, { to: { address }, ...frame })
}

/** Tells of a change of the account, and when it was. */
export function noticeMail(notice: MailWords, { at, ...to }: MailTo & { at: Date }): Message {
  const { layout } = serverWords[to.language].mails
  const facts = [...(notice.facts ?? []), [layout.when, layout.moment(at)] as const]
  return layOut({ ...notice, facts }, to)
}
