import dns from 'node:dns'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'
import PostalMime from 'postal-mime'
import { expect, onTestFinished, test, vi } from 'vitest'
import {
  account,
  startSmtp,
  trustCertificate,
  type Smtp,
  type Step,
} from '../../testing/network/smtp.ts'
import { nameOfTwoAddresses } from '../../testing/network/two-addresses.ts'
import type { Message } from '../mail.ts'
import { transmit } from './smtp-connection.ts'
import { checkSmtpLogin, smtpMailer } from './smtp.ts'

const message: Message = {
  to: [{ address: 'ann@x.test', name: 'Ann, the first' }],
  subject: 'Good news',
  text: 'Hello Ann,\n.\nhttps://x.test/a?b=c\n',
  html: '<p>Hello Ann,</p>',
}

const from = { address: 'app@x.test', name: 'The app' }
const hasVersion6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
)
/** Milliseconds: enough on a busy machine, and a short wait for a server that hangs. */
const patient = { connect: 5000, total: 8000 }
const hasty = { connect: 400, total: 800 }

function mailerOf({ port }: Pick<Smtp, 'port'>, settings = {}, limits = patient) {
  const standard = { host: '127.0.0.1', port, username: undefined, password: undefined, from }
  return smtpMailer({ ...standard, ...settings }, limits)
}

/** Returns the message of the error when a mail is sent to such a server. */
async function failureOf(manners: Parameters<typeof startSmtp>[0], settings = {}, mail = message) {
  const server = await startSmtp(manners)
  const failed = mailerOf(server, settings).send(mail)
  const error = await failed.then(
    () => new Error('it was sent'),
    (error: Error) => error,
  )
  return error.message.replace(`:${server.port}`, '')
}

test('a mail arrives with the sender of the mailer, its recipient, subject, text and HTML', async () => {
  const server = await startSmtp()
  await mailerOf(server).send(message)
  expect(server.received).toMatchObject([{ from: 'app@x.test', to: ['ann@x.test'] }])
  const mail = await PostalMime.parse(server.received[0]?.content ?? '')
  expect(mail).toMatchObject({
    from: { address: 'app@x.test', name: 'The app' },
    to: [{ address: 'ann@x.test', name: 'Ann, the first' }],
    subject: 'Good news',
    html: `${message.html}\n`,
  })
  expect(mail.text?.trimEnd()).toBe(message.text.trimEnd())
})

test('a mail can have its own sender', async () => {
  const server = await startSmtp()
  await mailerOf(server).send({ ...message, from: { address: 'bob@x.test' } })
  expect(server.received[0]?.from).toBe('bob@x.test')
  expect(String(server.received[0]?.content)).toContain('From: bob@x.test\r\n')
})

test('Bcc gets the mail but is in no header, and an address in several lists gets it once', async () => {
  const server = await startSmtp()
  await mailerOf(server).send({
    ...message,
    cc: [{ address: 'bob@x.test' }, { address: 'ANN@x.test' }],
    bcc: [{ address: 'eve@x.test' }, { address: 'bob@x.test' }],
  })
  expect(server.received).toHaveLength(1)
  expect(server.received[0]?.to).toEqual(['ann@x.test', 'bob@x.test', 'eve@x.test'])
  expect(String(server.received[0]?.content)).toContain('Cc: bob@x.test, ANN@x.test\r\n')
  expect(String(server.received[0]?.content)).not.toMatch(/eve|^bcc/im)
})

test('a line with only a dot does not end the mail', async () => {
  const server = await startSmtp()
  await mailerOf(server).send({ ...message, html: undefined })
  const mail = await PostalMime.parse(server.received[0]?.content ?? '')
  expect(mail.text).toBe(message.text)
})

test('STARTTLS is used when the server offers it', async () => {
  trustCertificate()
  const server = await startSmtp({ tls: 'offered' })
  await mailerOf(server, { host: 'localhost' }).send(message)
  expect(server.received).toMatchObject([{ isEncrypted: true }])
})

test('a password is sent over an encrypted connection', async () => {
  trustCertificate()
  const server = await startSmtp({ tls: 'offered', wantsAccount: true })
  await mailerOf(server, { host: 'localhost', ...account }).send(message)
  expect(server.received).toMatchObject([{ isEncrypted: true, user: account.username }])
})

test('EHLO names the machine, or the domain of the sender if the machine has no full name', async () => {
  const server = await startSmtp()
  await mailerOf(server).send(message)
  const bücher = { from: { address: 'app@bücher.example', name: 'Bücher' } }
  await mailerOf(server, bücher).send({ ...message, from: { address: 'bob@x.test' } })
  const named = hostname().includes('.')
    ? [hostname(), hostname()]
    : ['x.test', 'xn--bcher-kva.example']
  expect(server.received.map(({ clientName: by }) => by)).toEqual(named)
})

test('an answer of several lines is reported once and in one line when the server hangs up after EHLO', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.write('220 strict\r\n')
    socket.once('data', () => socket.end('421-4.7.0 Try again later.\r\n421 4.7.0 (EHLO)\r\n'))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const failed = mailerOf({ port }).send(message)
  await expect(failed).rejects.toMatchObject({
    message: `127.0.0.1:${port} did not take the mail: Server terminates connection.: 421-4.7.0 Try again later. 421 4.7.0 (EHLO)`,
    fault: 'greeting',
  })
})

test('TLS can begin with the connection', async () => {
  trustCertificate()
  const server = await startSmtp({ tls: 'from the start', wantsAccount: true })
  const content = Buffer.from('Subject: hello\r\n\r\nhello\r\n')
  const letter = { from: 'app@x.test', to: ['ann@x.test'], content }
  const place = { host: 'localhost', port: server.port, tlsFromStart: true, from, connect: 5000 }
  await transmit(letter, { ...place, ...account }, AbortSignal.timeout(8000))
  expect(server.received).toMatchObject([{ isEncrypted: true, user: account.username, content }])
})

// Only root may listen on that port.
test.runIf(process.getuid?.() === 0)(
  'port 465 uses TLS from the start, for a mail and for the login check',
  async () => {
    trustCertificate()
    const server = await startSmtp({ tls: 'from the start', wantsAccount: true, port: 465 })
    const settings = { host: 'localhost', port: 465, from, ...account }
    await smtpMailer(settings, patient).send(message)
    await checkSmtpLogin(settings)
    expect(server.received).toMatchObject([{ isEncrypted: true, user: account.username }])
  },
)

test('a password is sent unencrypted to 127.0.0.1 and localhost', async () => {
  const server = await startSmtp({ wantsAccount: true })
  await mailerOf(server, account).send(message)
  await mailerOf(server, { host: 'localhost', ...account }).send(message)
  expect(server.received).toMatchObject([
    { isEncrypted: false, user: account.username },
    { isEncrypted: false, user: account.username },
  ])
})

test.runIf(hasVersion6)('a password is sent unencrypted to ::1', async () => {
  const server = await startSmtp({ wantsAccount: true, host: '::1' })
  await mailerOf(server, { host: '::1', ...account }).send(message)
  expect(server.received).toMatchObject([{ isEncrypted: false, user: account.username }])
})

test('a password is not sent unencrypted to another machine', async () => {
  const server = await startSmtp({ wantsAccount: true, host: '127.0.0.2' })
  const sending = mailerOf(server, { host: '127.0.0.2', ...account }).send(message)
  await expect(sending).rejects.toThrow('STARTTLS')
  expect(server.received).toEqual([])
})

test('a self-signed certificate is refused, and the error names NODE_EXTRA_CA_CERTS', async () => {
  const failure = await failureOf({ tls: 'offered' }, { host: 'localhost' })
  expect(failure).toContain('self-signed certificate')
  expect(failure).toContain('NODE_EXTRA_CA_CERTS')
})

test('what an error says to do about a certificate is for what is wrong with it', async () => {
  trustCertificate()
  const other = await failureOf({ tls: 'offered', host: '127.0.0.2' }, { host: '127.0.0.2' })
  const expired = await failureOf({ tls: 'offered', isExpired: true }, { host: 'localhost' })
  expect(other).toMatch(/altnames: .* \(set MAIL_HOST to a name that the certificate is for\)$/)
  expect(expired).toMatch(/: certificate has expired \(renew it there, .*\)$/)
})

const refusedAt = (step: Step, code: number) => failureOf({ refuses: { at: step, code } }, account)

test('an error contains the answer of the server', async () => {
  const failures = await Promise.all([
    refusedAt('connection', 421),
    refusedAt('account', 454),
    refusedAt('sender', 451),
    refusedAt('recipient', 550),
    refusedAt('content', 552),
  ])
  expect(failures).toEqual([
    expect.stringContaining('421 not at this connection'),
    expect.stringContaining('454 not at this account'),
    expect.stringContaining('451 not at this sender'),
    expect.stringContaining('550 not at this recipient'),
    expect.stringContaining('552 not at this content'),
  ])
  expect(failures[3]).toMatch(/^127\.0\.0\.1 did not take the mail: /)
})

test('an error masks the password, even when the server repeats it', async () => {
  const wrong = { username: 'mailer', password: 'open barley' }
  const failure = await failureOf({ wantsAccount: true }, wrong)
  expect(failure).toContain('535 535 [secret] is not the password')
  expect(failure).not.toContain('barley')
})

test('an error masks the token of a link that the server quotes', async () => {
  const link = 'https://x.test/reset-password/tp8uq4.W_jW5ciX7ZqcnTP9tblISw'
  const refuses = { at: 'content', code: 554, quotes: /http\S+/ } as const
  const failure = await failureOf({ refuses }, {}, { ...message, text: `Here: ${link}\n` })
  expect(failure).toMatch(/554 not with https:\/\/x\.test\/reset-password\/\[token\]$/)
})

test('a refused recipient among others is reported as an error', async () => {
  const both = { ...message, cc: [{ address: 'bob@x.test' }] }
  const refuses = { at: 'recipient', code: 550, only: 'bob@x.test' } as const
  expect(await failureOf({ refuses }, {}, both)).toContain('550 not at this recipient')
})

test('a refusal names SMTPUTF8 if an address needs it and the server does not offer it', async () => {
  const refuses = { at: 'recipient', code: 501 } as const
  const jörg = { ...message, to: [{ address: 'jörg@bücher.test' }] }
  const hans = { ...message, to: [{ address: 'hans@bücher.test' }] }
  const without = await failureOf({ refuses, offersUtf8: false }, {}, jörg)
  expect(without).toMatch(/: 501 not at this recipient \(it does not offer SMTPUTF8, .*\)$/)
  expect(await failureOf({ refuses }, {}, jörg)).toMatch(/501 not at this recipient$/)
  expect(await failureOf({ refuses, offersUtf8: false }, {}, hans)).toMatch(/recipient$/)
  expect(await failureOf({ offersUtf8: false }, {}, jörg)).toBe('it was sent')
})

test('sending to a server that does not greet times out', async () => {
  const server = await startSmtp({ hangs: 'connection' })
  const failed = mailerOf(server, {}, hasty).send(message)
  await expect(failed).rejects.toThrow(/greeting|timeout/i)
})

test('sending to a server that hangs while it receives the mail times out', async () => {
  const server = await startSmtp({ hangs: 'content' })
  const failed = mailerOf(server, {}, { ...patient, total: hasty.total }).send(message)
  await expect(failed).rejects.toThrow('it took longer than 0.8 seconds')
})

test('a mail whose connection is cut after it was sent counts as not taken', async () => {
  expect(await failureOf({ cutsAfterContent: true })).toMatch(/did not take the mail: .*clos/)
})

test('a refused connection is reported with the address of the server', async () => {
  const failed = mailerOf({ port: 1 }).send(message)
  await expect(failed).rejects.toThrow('127.0.0.1:1 did not take the mail: connect ECONNREFUSED')
})

test('a host is looked up as the machine does, and its next address tried if one refuses', async () => {
  const queries = vi.spyOn(dns.Resolver.prototype, 'resolve4')
  onTestFinished(() => queries.mockRestore())
  const server = await startSmtp({ host: '127.0.0.2' })
  await mailerOf(server, { host: nameOfTwoAddresses() }).send(message)
  expect(server.received).toHaveLength(1)
  expect(queries).not.toHaveBeenCalled()
})

test('a host whose addresses all refuse the connection is reported with each of them', async () => {
  const failed = mailerOf({ port: 1 }, { host: nameOfTwoAddresses() }).send(message)
  const error: unknown = await failed.catch((error: unknown) => error)
  expect(error).toMatchObject({
    message: expect.stringMatching(/^two\.invalid:1 did not take the mail: connect ECONNREFUSED /),
    fault: 'connection',
  })
  expect(String(error)).toMatch(/ECONNREFUSED 127\.0\.0\.1:1/)
  expect(String(error)).toMatch(/ECONNREFUSED 127\.0\.0\.2:1/)
})

test('sending stops when its caller aborts it', async () => {
  const server = await startSmtp({ hangs: 'content' })
  const failed = mailerOf(server).send(message, AbortSignal.timeout(300))
  await expect(failed).rejects.toThrow('the sending was stopped')
  trustCertificate()
  const encrypted = await startSmtp({ tls: 'offered', hangs: 'content' })
  const stop = new AbortController()
  const sending = mailerOf(encrypted, { host: 'localhost' }).send(message, stop.signal)
  sending.catch(() => {})
  await expect.poll(() => encrypted.connections).toBe(1)
  stop.abort()
  await expect(sending).rejects.toThrow('the sending was stopped')
})

test('an invalid message opens no connection', async () => {
  const server = await startSmtp()
  const sending = mailerOf(server).send({ ...message, subject: 'Good\r\nBcc: eve@x.test' })
  await expect(sending).rejects.toThrow('line break')
  expect(server.connections).toBe(0)
})
