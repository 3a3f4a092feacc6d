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
 * Returns the possible subjects of a mail that somebody asked for. Both subjects of a reset mail are shown: a
 * single one would reveal whether the account has a password.
 */
export function mailSubjects(mail: AskedMail | 'verify', language: Language): readonly string[] {
  const { reset, setPassword, registration, verify } = serverWords[language].mails
  const called = { reset: [reset, setPassword], register: [registration], verify: [verify] }
  return called[mail].map(({ subject }) => subject)
}

/** Greets nobody by name: the email is not verified yet. */
export function verifyMail({ address, ...frame }: Unproven): Message {
  return layOut(serverWords[frame.language].mails.verify, { to: { address }, ...frame })
}

export function resetMail(to: MailTo): Message {
  return layOut(serverWords[to.language].mails.reset, to)
}

/** Replaces the reset mail for an account without a password. */
export function setPasswordMail(to: MailTo): Message {
  return layOut(serverWords[to.language].mails.setPassword, to)
}

/** Goes to an email that has no account yet. */
export function registrationMail({ address, ...frame }: Unproven): Message {
  return layOut(serverWords[frame.language].mails.registration, { to: { address }, ...frame })
}

/** Reports a change of the account, and when it was made. */
export function noticeMail(notice: MailWords, { at, ...to }: MailTo & { at: Date }): Message {
  const { layout } = serverWords[to.language].mails
  const facts = [...(notice.facts ?? []), [layout.when, layout.moment(at)] as const]
  return layOut({ ...notice, facts }, to)
}
