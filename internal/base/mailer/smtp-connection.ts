import { connect as openConnection, isIP, type Socket } from 'node:net'
import { hostname } from 'node:os'
import { checkServerIdentity, type PeerCertificate } from 'node:tls'
import { createTransport } from 'nodemailer'
import MailComposer from 'nodemailer/lib/mail-composer'
import { emailKey } from '../email.ts'
import type { Mailbox, Message } from '../mail.ts'
import { sniffType } from './content-type.ts'

// The only file that imports nodemailer, itself imported only when a mail goes out, to keep starts fast.

/** Composes a mail as SMTP sends it, without Bcc. The message must have been judged. */
export async function composeMail(message: Message): Promise<Buffer> {
  const { from, to, cc = [], replyTo = [], subject, text, html } = message
  const composer = new MailComposer({
    from: from && copy(from),
    to: to.map(copy),
    cc: cc.map(copy),
    replyTo: replyTo.map(copy),
    subject,
    text,
    html,
    headers: { ...byProgram(message), ...message.headers, ...unsubscribeHeaders(message) },
    attachments: message.attachments?.map(({ name, type, content }) => ({
      filename: name,
      contentType: type ?? sniffType(content),
      content: Buffer.from(content),
      contentTransferEncoding: 'base64',
    })),
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return composer.compile().build()
}

/** Returns a copy, since nodemailer modifies the objects passed to it. */
function copy({ name, address }: Mailbox): { name: string; address: string } {
  return { name: name ?? '', address }
}

/** Returns the header that prevents automatic replies (RFC 3834), unless the message sets it itself. */
function byProgram({ headers = {} }: Message): Record<string, string> {
  const isSet = Object.keys(headers).some((name) => name.toLowerCase() === 'auto-submitted')
  return isSet ? {} : { 'Auto-Submitted': 'auto-generated' }
}

function unsubscribeHeaders({ unsubscribe }: Message): Record<string, string> {
  if (unsubscribe === undefined) return {}
  return {
    'List-Unsubscribe': `<${unsubscribe}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }
}

export interface Server {
  readonly host: string
  readonly port: number
  readonly username: string | undefined
  readonly password: string | undefined
  readonly tlsFromStart: boolean
  /** The sender of mails that state none. */
  readonly from: Pick<Mailbox, 'address'>
  /** Milliseconds allowed until the server has greeted and the connection is encrypted. */
  readonly connect: number
}

export interface Letter {
  /** The address that delivery failures are reported to. */
  readonly from: string
  readonly to: readonly string[]
  readonly content: Buffer
}

/** Called with all that a server and this program say to each other, secrets included, but not the mail. */
export interface Watcher {
  connected(address: string): void
  /** Called before the name in a certificate is checked; not for one of an untrusted authority. */
  certificate(certificate: PeerCertificate): void
  /** A command without its line end, or an answer of one line or more. */
  sent(by: 'client' | 'server', text: string): void
  mailed(bytes: number): void
}

/**
 * Sends a mail to a server over a connection of its own. Throws what nodemailer throws, with the server's
 * answer in the message, even if the server refused only one of several recipients. The message also says if
 * the server lacks what an address needs.
 */
export async function transmit(
  letter: Letter,
  server: Server,
  signal: AbortSignal,
  watcher?: Watcher,
): Promise<void> {
  const listener = listening(watcher)
  const transport = createTransport({ ...optionsOf(server, signal), ...watching(listener) })
  const { from, to, content } = letter
  const envelope = { from, to: [...to] }
  try {
    const { rejectedErrors = [] } = await transport.sendMail({ envelope, raw: content, signal })
    const [refused] = rejectedErrors
    if (refused) throw refused
  } catch (error) {
    const isOfAddress = /^(?:MAIL FROM|RCPT TO)$/.test(
      (error as { command?: string }).command ?? '',
    )
    if (isOfAddress && [from, ...to].some(needsUtf8) && !listener.offers('SMTPUTF8'))
      (error as Error).message += withoutUtf8
    throw error
  }
}

/** Returns whether only servers with SMTPUTF8 take an address (RFC 6531). A domain can be written in ASCII. */
function needsUtf8(address: string): boolean {
  return /[^\0-\x7f]/.test(address.slice(0, address.lastIndexOf('@')))
}

// nodemailer sends the address all the same: some servers that do not offer it take it.
const withoutUtf8 =
  ' (it does not offer SMTPUTF8, which an address with other letters than those of ASCII before its @ needs)'

/**
 * Connects and logs in as `transmit` does, without sending a mail. Returns whether the server offers a login:
 * if not, mails are sent without one. Throws what nodemailer throws.
 */
export async function logIn(server: Server): Promise<{ isOffered: boolean }> {
  const { connect } = server
  const listener = listening()
  // A shorter limit than for a mail, which a server may take long to store before it answers.
  const options = { ...optionsOf(server), ...watching(listener), socketTimeout: connect }
  await createTransport(options).verify()
  return { isOffered: listener.offers('AUTH') }
}

/** Returns a watcher that also remembers what the server offers. */
function listening(watcher?: Watcher) {
  let answers = ''
  return {
    connected: (address: string) => watcher?.connected(address),
    certificate: (certificate: PeerCertificate) => watcher?.certificate(certificate),
    mailed: (bytes: number) => watcher?.mailed(bytes),
    sent(by: 'client' | 'server', text: string) {
      if (by === 'server') answers += `${text}\n`
      watcher?.sent(by, text)
    },
    /** Returns whether the server's answer to EHLO named an extension. */
    offers: (extension: string) => new RegExp(`^250[ -]${extension}(?:[ =]|$)`, 'im').test(answers),
  } satisfies Watcher & { offers(extension: string): boolean }
}

function optionsOf(server: Server, signal?: AbortSignal) {
  const { host, port, username, password, tlsFromStart, from, connect } = server
  return {
    host,
    port,
    name: ownName(from),
    secure: tlsFromStart,
    auth: username === undefined ? undefined : { user: username, pass: password },
    requireTLS: password !== undefined && !localHosts.has(host),
    connectionTimeout: connect,
    greetingTimeout: connect,
    getSocket: (_: unknown, done: SocketCallback) => openSocket(server, signal, done),
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

type SocketCallback = (error: Error | null, options?: { connection: Socket }) => void

/**
 * Connects to the first of a host's addresses that answers. The name is looked up as all programs of the
 * machine do: nodemailer would ask the DNS before the hosts file, and fail where no DNS answers.
 */
function openSocket(
  { host, port, connect }: Server,
  signal: AbortSignal | undefined,
  done: SocketCallback,
): void {
  const socket = openConnection({ host, port, autoSelectFamilyAttemptTimeout: longestAttempt })
  const late = Object.assign(new Error('Connection timeout'), { code: 'ETIMEDOUT' })
  const timer = setTimeout(() => socket.destroy(late), connect)
  const cut = () => socket.destroy(new Error('The sending was stopped.'))
  signal?.addEventListener('abort', cut)
  const end = (error: Error | null) => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', cut)
    socket.off('error', end)
    done(error, error ? undefined : { connection: socket })
  }
  socket.once('error', end).once('connect', () => end(null))
}

/** Milliseconds until the next address of a host is tried. */
const longestAttempt = 1000

/**
 * Returns the name by which this program greets the server (RFC 5321, 4.1.1.1): the machine's, or the
 * sender's domain if the machine has no full name, as in a container. nodemailer would then say
 * `[127.0.0.1]`, which some servers refuse.
 */
function ownName({ address }: Pick<Mailbox, 'address'>): string | undefined {
  const [domain = ''] = emailKey(address).split('@').slice(-1)
  return [hostname(), domain].find((name) => name.includes('.') && isIP(name) === 0)
}

function watching(watcher: Watcher) {
  const note = ({ tnx, remoteAddress, outByteCount }: Entry, text: unknown) => {
    if (tnx === 'client' || tnx === 'server') watcher.sent(tnx, String(text))
    if (tnx === 'network' && remoteAddress !== undefined) watcher.connected(remoteAddress)
    if (outByteCount !== undefined) watcher.mailed(outByteCount)
  }
  return {
    transactionLog: true,
    logger: { trace: note, debug: note, info: note, warn: note, error: note, fatal: note },
    tls: {
      checkServerIdentity(host: string, certificate: PeerCertificate) {
        watcher.certificate(certificate)
        return checkServerIdentity(host, certificate)
      },
    },
  }
}

/** The part of nodemailer's log entries that is used here. */
interface Entry {
  readonly tnx?: string
  readonly remoteAddress?: string
  readonly outByteCount?: number
}

/** Hosts on this machine, to which a password may be sent unencrypted (spec: Outgoing mail). */
const localHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1'])
