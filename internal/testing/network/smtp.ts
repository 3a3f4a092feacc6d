import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { SMTPServer } from 'smtp-server'
import { onTestFinished } from 'vitest'

const folder = join(import.meta.dirname, '../../../testdata/smtp')
const key = readFileSync(join(folder, 'key.pem'))
/** Self-signed, for `localhost`. */
const cert = readFileSync(join(folder, 'certificate.pem'), 'utf8')
/** The same, but it ended in 2020. */
const expiredCert = readFileSync(join(folder, 'expired.pem'), 'utf8')

export const account = { username: 'mailer', password: 'open sesame' }

/** A mail as received by the server. */
export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  /** The name with which the client greeted the server. */
  readonly clientName: string
  readonly isEncrypted: boolean
  /** The logged-in user. */
  readonly user: string | undefined
  readonly content: Buffer
}

export interface Smtp {
  readonly port: number
  /** The settings with which a service sends its mail there. */
  readonly settings: Readonly<Record<string, string>>
  readonly received: readonly ReceivedMail[]
  /** How many connections there were. */
  readonly connections: number
}

interface Behaviour {
  readonly tls?: 'none' | 'offered' | 'from the start'
  /** Whether its certificate has expired. */
  readonly isExpired?: boolean
  /** Whether a login is required. */
  readonly wantsAccount?: boolean
  /** Whether it offers a login; true if absent. */
  readonly offersLogin?: boolean
  /** Whether it takes addresses with other letters than those of ASCII; true if absent. */
  readonly offersUtf8?: boolean
  /** Refuses at one step with a code: all recipients, or `only` one. It may quote the mail. */
  readonly refuses?: {
    readonly at: Step
    readonly code: number
    readonly only?: string
    readonly quotes?: RegExp
    readonly says?: string
  }
  /** Falls silent for ever at a step, or cuts the connection after receiving the mail. */
  readonly hangs?: 'connection' | 'content'
  readonly cutsAfterContent?: boolean
  readonly host?: string
  /** A free one if absent. */
  readonly port?: number
}

export type Step = 'connection' | 'account' | 'sender' | 'recipient' | 'content'

type Answer = (error?: Error | null) => void

/** Starts a mail server that runs until the end of the test. */
export async function startSmtp(behaviour: Behaviour = {}): Promise<Smtp> {
  const {
    tls = 'none',
    wantsAccount = false,
    hangs,
    cutsAfterContent,
    host = '127.0.0.1',
  } = behaviour
  const { port: requestedPort = 0, isExpired = false } = behaviour
  const { offersLogin = true, offersUtf8 = true } = behaviour
  const received: ReceivedMail[] = []
  let connections = 0
  const answer = (at: Step, done: Answer, content = '') => done(refusal(behaviour, at, content))
  const server = new SMTPServer({
    key,
    cert: isExpired ? expiredCert : cert,
    secure: tls === 'from the start',
    disabledCommands: [
      ...(tls === 'offered' ? [] : ['STARTTLS']),
      ...(offersLogin ? [] : ['AUTH']),
    ],
    hideSMTPUTF8: !offersUtf8,
    authOptional: !wantsAccount,
    allowInsecureAuth: true,
    closeTimeout: 1,
    disableReverseLookup: true,
    onConnect(_, done) {
      connections += 1
      if (hangs !== 'connection') answer('connection', done)
    },
    onAuth({ username, password }, _, done) {
      const isRight = username === account.username && password === account.password
      const wrong = new Error(`535 ${password} is not the password`)
      const error = isRight
        ? refusal(behaviour, 'account')
        : Object.assign(wrong, { responseCode: 535 })
      done(error, { user: username })
    },
    onMailFrom: (_, __, done) => answer('sender', done),
    onRcptTo: ({ address }, _, done) => answer('recipient', done, address),
    async onData(stream, { envelope, secure, user, hostNameAppearsAs: clientName }, done) {
      const content = await readContent(stream as AsyncIterable<Buffer>)
      // A client that died amid its mail gets no answer.
      if (!content) return
      if (cutsAfterContent) return server.connections.forEach((connection) => connection.close())
      if (hangs === 'content') return
      const to = envelope.rcptTo.map(({ address }) => address)
      const from = envelope.mailFrom ? envelope.mailFrom.address : ''
      const isEncrypted = secure
      received.push({
        from,
        to,
        clientName,
        isEncrypted,
        user: user as string | undefined,
        content,
      })
      answer('content', done, decodeLines(content))
    },
  })
  // A client that hangs up is no error here.
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(requestedPort, host, resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const address = server.server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    port,
    settings: { MAIL_HOST: host, MAIL_PORT: String(port), MAIL_FROM_ADDRESS: 'app@x.test' },
    received,
    get connections() {
      return connections
    },
  }
}

async function readContent(stream: AsyncIterable<Buffer>): Promise<Buffer | undefined> {
  try {
    return Buffer.concat(await Array.fromAsync(stream))
  } catch {
    return undefined
  }
}

/** Makes this process trust the server's certificates until the end of the test. */
export function trustCertificate(): void {
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, cert, expiredCert])
  onTestFinished(() => setDefaultCACertificates(before))
}

function refusal({ refuses }: Behaviour, at: Step, content = ''): Error | null {
  if (refuses?.at !== at || (refuses.only ?? content) !== content) return null
  const [quoted] = refuses.quotes?.exec(content) ?? []
  const { says = `not at this ${at}` } = refuses
  const text = quoted === undefined ? says : `not with ${quoted}`
  return Object.assign(new Error(text), { responseCode: refuses.code })
}

/** Decodes a mail as a filter reads it, with its lines joined (RFC 2045, 6.7). */
function decodeLines(content: Buffer): string {
  return content.toString().replaceAll('=\r\n', '').replaceAll('=3D', '=')
}
