import { emailKey } from './email.ts'
import { sender } from './settings/setting-types.ts'

export interface Mailbox {
  readonly address: string
  readonly name?: string
}

export interface Attachment {
  readonly name: string
  /** `text/csv`, with parameters or without. If absent, the first bytes decide (`sniffType`). */
  readonly type?: string
  readonly content: Uint8Array
}

/** A mail as the service writes it (spec: Outgoing mail). */
export interface Message {
  /** If absent, the mailer's own. */
  readonly from?: Mailbox
  readonly to: readonly Mailbox[]
  readonly cc?: readonly Mailbox[]
  /** They get the mail, but appear in none of its headers. */
  readonly bcc?: readonly Mailbox[]
  readonly replyTo?: readonly Mailbox[]
  readonly subject: string
  readonly text: string
  readonly html?: string
  readonly attachments?: readonly Attachment[]
  /** Further headers; none that a field of the message sets. */
  readonly headers?: Readonly<Record<string, string>>
  /** An https link whose POST unsubscribes (RFC 8058). */
  readonly unsubscribe?: string
}

export interface Mailer {
  /**
   * Resolves once the mail is handed over. Throws if it cannot be sent as it is, is refused, or `signal`
   * aborts first. No mailer takes longer than a minute.
   */
  send(message: Message, signal?: AbortSignal): Promise<void>
}

/** Returns a mailer that adds `sender` as From to mails without one. */
export function withSender(mailer: Mailer, sender: Mailbox | undefined): Mailer {
  const from = (message: Message) => message.from ?? sender
  return {
    send: (message, signal) => mailer.send({ ...message, from: from(message) }, signal),
  }
}

/** Throws if a message has a fault. Called before composing: nodemailer would silently change it. */
export function judgeMessage(message: Message): void {
  const { from, to, cc = [], bcc = [], replyTo = [], unsubscribe } = message
  if (to.length + cc.length + bcc.length === 0) throw new Error('The mail has no recipient.')
  for (const mailbox of [...(from ? [from] : []), ...to, ...cc, ...bcc, ...replyTo])
    judgeMailbox(mailbox)
  if (controls.test(message.subject))
    throw new Error(`The subject has a line break or control character: ${quoted(message.subject)}`)
  if (unbroken.test(message.subject))
    throw new Error(`The subject has a word that is too long: ${quoted(message.subject)}`)
  for (const [name, value] of Object.entries(message.headers ?? {})) judgeHeader(name, value)
  for (const attachment of message.attachments ?? []) judgeAttachment(attachment)
  if (unsubscribe !== undefined && !isHttps(unsubscribe))
    throw new Error(`The link to unsubscribe is not an https link: ${quoted(unsubscribe)}`)
}

/** Returns every address the mail goes to, each once, To before Cc before Bcc. */
export function recipientsOf({ to, cc = [], bcc = [] }: Message): string[] {
  const byKey = new Map<string, string>()
  for (const { address } of [...to, ...cc, ...bcc])
    if (!byKey.has(emailKey(address))) byKey.set(emailKey(address), address)
  return [...byKey.values()]
}

const controls = /[\p{Cc}\p{Zl}\p{Zp}]/u

function judgeMailbox({ address, name = '' }: Mailbox): void {
  if (sender.read(address) === undefined)
    throw new Error(`This is not the address of one mailbox: ${quoted(address)}`)
  if (controls.test(name))
    throw new Error(`The name of a mailbox has a line break or control character: ${quoted(name)}`)
}

/** RFC 5322, 2.2: printable ASCII without the colon. */
const headerName = /^[!-9;-~]{1,76}$/

/** Headers that the fields of a message set, and those that only mail servers write. */
const ownHeaders =
  /^(?:from|sender|to|cc|bcc|reply-to|subject|date|message-id|mime-version|return-path|received|list-unsubscribe(?:-post)?|(?:content|resent)-.*)$/i

/**
 * In characters. A line of a mail has at most 998 (RFC 5322, 2.1.1), and a value may have nowhere to break.
 */
const longestValue = 900
/** A subject can be broken at its spaces, and non-ASCII letters are encoded in pieces. */
const unbroken = new RegExp(`[!-~]{${longestValue + 1}}`)

function judgeHeader(name: string, value: string): void {
  if (!headerName.test(name)) throw new Error(`This is not the name of a header: ${quoted(name)}`)
  if (ownHeaders.test(name)) throw new Error(`${name} is not for a header of one's own.`)
  if (value.length > longestValue) throw new Error(`The header ${name} is too long.`)
  if (controls.test(value))
    throw new Error(`The header ${name} has a line break or control character: ${quoted(value)}`)
}

/** RFC 2045, 5.1, without `multipart` and `message`, which may not be encoded in base64 (6.4). */
const contentType =
  /^(?!multipart\/|message\/)[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}(?:; ?[\w-]+=(?:[\w!#$&^.+-]+|"[ !#-[\]-~]*"))*$/i

function judgeAttachment({ name, type }: Attachment): void {
  if (name === '' || controls.test(name))
    throw new Error(`This is not the name of an attached file: ${quoted(name)}`)
  if (type !== undefined && !contentType.test(type))
    throw new Error(`This is not the content type of an attached file: ${quoted(type)}`)
}

function isHttps(link: string): boolean {
  // No `<` or `>`, which would end the brackets around the link in the header, and nothing to break its line.
  return /^https:\/\/[!-;=?-~]+$/.test(link) && link.length <= longestValue && URL.canParse(link)
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 200))
}
