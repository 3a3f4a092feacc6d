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
  /** The server's answer, which the message ends with. */
  readonly response?: string
  readonly responseCode?: number
}

export function faultOf(error: unknown): MailFault {
  const { code, originalCode, command, response = '', responseCode } = error as Thrown
  const text = withoutAnswer(error)
  if (text.startsWith('getaddrinfo ')) return 'name'
  if (text.startsWith('connect ')) return 'connection'
  if (code === 'ETIMEDOUT') return 'silence'
  if (code === 'EAUTH' || code === 'ENOAUTH' || responseCode === 530) return 'account'
  if (/certificate|altname/i.test(`${text} ${originalCode}`)) return 'certificate'
  if (/ssl|tls|wrong version/i.test(`${text} ${originalCode} ${code}`)) return 'encryption'
  if (command === 'MAIL FROM' || aboutSender.test(response)) return 'sender'
  if (command === 'RCPT TO') return 'recipient'
  if (code === 'EENVELOPE') return 'recipient'
  if (command === 'DATA' || code === 'EMESSAGE') return 'content'
  if (code === 'EPROTOCOL' || command === 'EHLO') return 'greeting'
  return 'line'
}

/** Returns what an error says without the server's answer, which may name anything, such as `ann@kessler.test`. */
export function withoutAnswer(error: unknown): string {
  const { response } = error as Thrown
  return response ? messageOf(error).replaceAll(response, '') : messageOf(error)
}

/**
 * In the answers of servers that judge the sender only with the recipient, as Postfix and Exim do by default;
 * the codes are of RFC 3463.
 */
const aboutSender = /\b[45]\.1\.[78]\b|\bsender (?:address|verify)/i
