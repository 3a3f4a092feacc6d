import { messageOf } from '../error-message.ts'

/** Where sending a mail failed. */
export type MailFault =
  /** The server's name does not resolve. */
  | 'name'
  /** Nothing listens at the address, or a firewall blocks it. */
  | 'connection'
  /** The server sent nothing for too long. */
  | 'silence'
  /** No mail server answered, or one that expects TLS from the start. */
  | 'greeting'
  | 'certificate'
  | 'encryption'
  | 'account'
  | 'sender'
  | 'recipient'
  | 'content'
  /** The connection broke: nobody knows whether the server took the mail. */
  | 'line'
  /** Sending took too long, or was stopped: nobody knows whether the server took the mail. */
  | 'time'

/** A mail that was not accepted. Its message quotes the server's answer, and no secret. */
export class MailNotSent extends Error {
  override readonly name = 'MailNotSent'
  readonly fault: MailFault

  constructor(message: string, fault: MailFault) {
    super(message)
    this.fault = fault
  }
}

/** What nodemailer throws. */
interface Thrown {
  readonly code?: string
  readonly originalCode?: string
  readonly command?: string
  readonly responseCode?: number
}

export function faultOf(error: unknown): MailFault {
  const { code, originalCode, command, responseCode } = error as Thrown
  const message = messageOf(error)
  if (code === 'EDNS') return 'name'
  if (code === 'ETIMEDOUT') return 'silence'
  if (code === 'EAUTH' || code === 'ENOAUTH' || responseCode === 530) return 'account'
  if (/certificate|altname/i.test(`${message} ${originalCode}`)) return 'certificate'
  if (/ssl|tls|wrong version/i.test(`${message} ${originalCode} ${code}`)) return 'encryption'
  if (command === 'MAIL FROM') return 'sender'
  if (command === 'RCPT TO') return 'recipient'
  if (code === 'EENVELOPE') return 'recipient'
  if (command === 'DATA' || code === 'EMESSAGE') return 'content'
  if (code === 'ESOCKET' && /^(?:connect|bind) /.test(message)) return 'connection'
  if (code === 'EPROTOCOL' || command === 'EHLO') return 'greeting'
  return 'line'
}
