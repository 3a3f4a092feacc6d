import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { startSmtp, type Step, trustCertificate } from '../../testing/network/smtp.ts'
import { dialogue } from './smtp-transcript.ts'
import type { MailNotSent } from './send-fault.ts'
import { smtpMailer } from './smtp.ts'

const message = { to: [{ address: 'ann@x.test' }], subject: 'Hello', text: 'Hello.' }
const secretive = { username: 'mailer', password: 'open sesame' }

/** No account: a mail is then sent without a login. */
const open = { username: undefined, password: undefined }

type Settings = { host?: string; username?: string; password?: string }

/** Sends a mail, and returns the transcript and where it failed. */
async function transcriptOf(port: number, settings: Settings = {}, connect = 5000) {
  const lines: string[] = []
  const from = { address: 'app@x.test', name: 'The app' }
  const own = { host: '127.0.0.1', port, from, ...secretive, ...settings }
  const watcher = dialogue(own, (line) => lines.push(line))
  const sending = smtpMailer(own, { connect, total: 8000 }, watcher).send(message)
  const failure = await sending.then(
    () => undefined,
    (error: MailNotSent) => error,
  )
  return { lines, text: lines.join('\n'), failure }
}

/** Starts a server that offers one mechanism, sends challenges, and refuses by repeating what it received. */
async function parrot(
  mechanism: string,
  challenges: string[] = [],
  greeting = '',
): Promise<number> {
  const server = createServer((socket) => {
    socket.write(`220 ${greeting}\r\n`)
    answer(socket, mechanism, challenges)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

function answer(socket: Socket, mechanism: string, challenges: string[]): void {
  const received: string[] = []
  socket.on('error', () => {})
  createInterface({ input: socket }).on('line', (line) => {
    if (line.startsWith('EHLO')) return void socket.write(`250-parrot\r\n250 AUTH ${mechanism}\r\n`)
    received.push(line)
    const next = challenges.shift()
    socket.write(next === undefined ? `535 no: ${received.join(' ')}\r\n` : `334 ${next}\r\n`)
  })
}

const base64 = (text: string) => Buffer.from(text).toString('base64')

test('the transcript has a line for each command and answer, and the size of the mail in place of it', async () => {
  const server = await startSmtp()
  const { lines, failure } = await transcriptOf(server.port, open)
  expect(failure).toBeUndefined()
  expect(lines).toEqual([
    '-- connected to 127.0.0.1',
    expect.stringMatching(/^S: 220 /),
    expect.stringMatching(/^C: EHLO /),
    expect.stringMatching(/^S: 250-/),
    ...lines.slice(4, lines.indexOf('C: MAIL FROM:<app@x.test>')),
    'C: MAIL FROM:<app@x.test>',
    'C: RCPT TO:<ann@x.test>',
    'C: DATA',
    'S: 250 Accepted',
    'S: 250 Accepted',
    expect.stringMatching(/^S: 354 /),
    expect.stringMatching(/^C: \[the mail, \d+ bytes\]$/),
    expect.stringMatching(/^S: 250 /),
  ])
})

test('the transcript shows the name and expiry of the certificate before a password is sent', async () => {
  trustCertificate()
  const server = await startSmtp({ tls: 'offered', wantsAccount: true })
  const { lines, failure } = await transcriptOf(server.port, { host: 'localhost' })
  expect(failure).toBeUndefined()
  const certificate = lines.findIndex((line) =>
    line.startsWith('-- the certificate is of localhost'),
  )
  expect(lines[certificate]).toMatch(/ until \w+ +\d+ .* GMT$/)
  expect(lines.indexOf('C: AUTH PLAIN [secret]')).toBeGreaterThan(certificate)
})

test('the transcript shows a certificate for another name, and no password is sent', async () => {
  trustCertificate()
  const server = await startSmtp({ tls: 'offered', wantsAccount: true, host: '127.0.0.2' })
  const { text, failure } = await transcriptOf(server.port, { host: '127.0.0.2' })
  expect(failure?.fault).toBe('certificate')
  expect(text).toContain('-- the certificate is of localhost')
  expect(text).not.toContain('C: AUTH')
})

test('the password is masked for every login mechanism, even when the server repeats it', async () => {
  const plain = await transcriptOf(await parrot('PLAIN'))
  const login = await transcriptOf(
    await parrot('LOGIN', [base64('Username:'), base64('Password:')]),
  )
  const cram = await transcriptOf(await parrot('CRAM-MD5', [base64('<1.2@x.test>')]))
  expect(plain.text).toContain('C: AUTH PLAIN [secret]\nS: 535 no: AUTH PLAIN [secret]')
  expect(login.text).toContain(
    'S: 334 [challenge]\nC: [secret]\nS: 334 [challenge]\nC: [secret]\nS: 535',
  )
  expect(login.text).toContain(`S: 535 no: AUTH LOGIN ${base64('mailer')} [secret]`)
  expect(cram.text).toContain('C: [secret]\nS: 535 no: AUTH CRAM-MD5 [secret]')
  expect(cram.failure?.message).toContain('535 no: AUTH CRAM-MD5 [secret]')
  const transcripts = [plain, login, cram]
    .map(({ text, failure }) => text + String(failure?.message))
    .join()
  expect(transcripts).not.toMatch(/sesame|b3BlbiBzZXNhbW|9wZW4gc2VzYW|vcGVuIHNlc2Ft/)
})

test('a password inside other text in base64 is masked', async () => {
  const words = ['', 'a', 'ab', 'abc'].map((word) => base64(`${word}open sesame${word}`))
  const { text } = await transcriptOf(await parrot('PLAIN', [], words.join(' ')))
  expect(text).toMatch(/^S: 220 .*\[secret\].*\[secret\].*\[secret\].*\[secret\]/m)
  expect(text).not.toMatch(/b3BlbiBzZXNhbW|9wZW4gc2VzYW|vcGVuIHNlc2Ft/)
})

test('control characters from the server are escaped in the transcript', async () => {
  const { text } = await transcriptOf(await parrot('PLAIN', [], 'parrot \u001b[2Jready'))
  expect(text).toContain(String.raw`S: 220 parrot \u001b[2Jready`)
})

async function refusedAt(at: Step, says?: string) {
  const { port } = await startSmtp({ refuses: { at, code: 550, ...(says && { says }) } })
  return (await transcriptOf(port)).failure?.fault
}

test('a refused mail reports the step that failed', async () => {
  expect(await refusedAt('connection')).toBe('greeting')
  expect(await refusedAt('account')).toBe('account')
  expect(await refusedAt('sender')).toBe('sender')
  expect(await refusedAt('recipient')).toBe('recipient')
  expect(await refusedAt('content')).toBe('content')
})

test('a sender who is refused only with the recipient is reported as the sender', async () => {
  const answers = [
    '5.7.1 <app@x.test>: Sender address rejected: not owned by user mailer',
    '5.1.8 <app@x.test>: Domain not found',
    'Sender verify failed',
    '5.1.1 <ann@x.test>: Recipient address rejected: User unknown',
  ]
  const faults = await Promise.all(answers.map((says) => refusedAt('recipient', says)))
  expect(faults).toEqual(['sender', 'sender', 'sender', 'recipient'])
})

test('what stands in the answer of a server is not taken for the cause', async () => {
  const kessler = '5.1.1 <ann@kessler.test>: no such mailbox'
  const certificate = '5.7.1 the sender has no certificate'
  const steps = ['connection', 'sender', 'recipient', 'content'] as const
  const faults = steps.map((step) => refusedAt(step, kessler))
  expect(await Promise.all(faults)).toEqual(['greeting', 'sender', 'recipient', 'content'])
  expect(await refusedAt('content', certificate)).toBe('content')
})

test('a mail that reaches no trusted server reports the cause, such as name, certificate or silence', async () => {
  const strange = await startSmtp({ tls: 'offered' })
  const clear = await startSmtp({ host: '127.0.0.2' })
  const wrapped = await startSmtp({ tls: 'from the start' })
  const locked = await startSmtp({ wantsAccount: true })
  expect((await transcriptOf(1)).failure?.fault).toBe('connection')
  expect((await transcriptOf(25, { host: 'nowhere.invalid' })).failure?.fault).toBe('name')
  expect((await transcriptOf(strange.port, { host: 'localhost' })).failure?.fault).toBe(
    'certificate',
  )
  expect((await transcriptOf(clear.port, { host: '127.0.0.2' })).failure?.fault).toBe('encryption')
  expect((await transcriptOf(locked.port, open)).failure?.fault).toBe('account')
  expect((await transcriptOf(wrapped.port, {}, 300)).failure?.fault).toBe('silence')
})
