import * as words from '../../../web/contract/words/mails.ts'
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
