import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { checkServerIdentity, type PeerCertificate } from 'node:tls'
import { createTransport } from 'nodemailer'
import MailComposer from 'nodemailer/lib/mail-composer'
import { emailKey } from '../email.ts'
import type { Mailbox, Message } from '../mail.ts'
import { sniffType } from './content-type.ts'

// This is the one file that imports nodemailer, and it is imported when the first mail goes out: the start of the
// service does not pay for it.

/** The mail as SMTP sends it. The message was judged, and its Bcc is not in it. */
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

/** nodemailer writes into what it is given. */
function copy({ name, address }: Mailbox): { name: string; address: string } {
  return { name: name ?? '', address }
}

/** So that nobody's absence is answered to the sender (RFC 3834), unless the message says otherwise of itself. */
function byProgram({ headers = {} }: Message): Record<string, string> {
  const isSaid = Object.keys(headers).some((name) => name.toLowerCase() === 'auto-submitted')
  return isSaid ? {} : { 'Auto-Submitted': 'auto-generated' }
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
  /** Who mails come from, where they do not say otherwise. */
  readonly from: Pick<Mailbox, 'address'>
  /** Milliseconds until the server has greeted and the connection is encrypted. */
  readonly connect: number
}

export interface Letter {
  /** The address that is told when it cannot be delivered. */
  readonly from: string
  readonly to: readonly string[]
  readonly content: Buffer
}

/** What goes between a server and this program, as it goes; secrets stand in it. The mail itself is not told. */
export interface Watcher {
  connected(address: string): void
  /** Before each is trusted; one that nobody vouches for is not told. */
  certificate(certificate: PeerCertificate): void
  /** A command without its end, or an answer of one line or more. */
  said(by: 'client' | 'server', text: string): void
  mailed(bytes: number): void
}

/**
 * Hands a mail over, over a connection of its own. Throws what nodemailer throws, with the server's answer in the
 * message, and when the server refused one of several recipients.
 */
export async function transmit(
  letter: Letter,
  server: Server,
  signal: AbortSignal,
  watcher?: Watcher,
): Promise<void> {
  const transport = createTransport({ ...optionsOf(server), ...(watcher && watching(watcher)) })
  const { from, to, content } = letter
  const envelope = { from, to: [...to] }
  const { rejectedErrors = [] } = await transport.sendMail({ envelope, raw: content, signal })
  const [refused] = rejectedErrors
  if (refused) throw refused
}

/**
 * Connects as `transmit` does, and leaves again without a mail. Whether the server offers to log in: to one that does not
 * mails are handed without. Throws what nodemailer throws.
 */
export async function logIn(server: Server): Promise<{ isOffered: boolean }> {
  const { connect } = server
  let isOffered = false
  const watcher: Watcher = {
    connected() {},
    certificate() {},
    mailed() {},
    said(by, text) {
      if (by === 'server' && /^250[ -]AUTH[ =]/im.test(text)) isOffered = true
    },
  }
  // A server that falls silent after its greeting has no mail of ours to write down first.
  const options = { ...optionsOf(server), ...watching(watcher), socketTimeout: connect }
  await createTransport(options).verify()
  return { isOffered }
}

function optionsOf({ host, port, username, password, tlsFromStart, from, connect }: Server) {
  return {
    host,
    port,
    name: ownName(from),
    secure: tlsFromStart,
    auth: username === undefined ? undefined : { user: username, pass: password },
    requireTLS: password !== undefined && !localHosts.has(host),
    connectionTimeout: connect,
    greetingTimeout: connect,
    dnsTimeout: connect,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/**
 * What this program calls itself (RFC 5321, 4.1.1.1): the name of the machine, or the domain of the sender where that has none
 * in the DNS, as in a container. nodemailer would say `[127.0.0.1]` then, which some servers hang up on.
 */
function ownName({ address }: Pick<Mailbox, 'address'>): string | undefined {
  const [domain = ''] = emailKey(address).split('@').slice(-1)
  return [hostname(), domain].find((name) => name.includes('.') && isIP(name) === 0)
}

function watching(watcher: Watcher) {
  const note = ({ tnx, remoteAddress, outByteCount }: Entry, text: unknown) => {
    if (tnx === 'client' || tnx === 'server') watcher.said(tnx, String(text))
    if (remoteAddress !== undefined) watcher.connected(remoteAddress)
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

/** What nodemailer logs, as far as it is of use here. */
interface Entry {
  readonly tnx?: string
  readonly remoteAddress?: string
  readonly outByteCount?: number
}

/** What is said there leaves no machine, so that a password may go to them in the clear (spec: Outgoing mail). */
const localHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1'])
