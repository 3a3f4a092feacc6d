import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startSmtp } from '../../testing/network/smtp.ts'
import { checkSmtpLogin, smtpMailer } from './smtp.ts'

const message = { to: [{ address: 'ann@x.test' }], subject: 'Hello', text: 'Hello.' }

const settingsOf = (port: number) => ({
  host: '127.0.0.1',
  port,
  from: { address: 'app@x.test', name: 'The app' },
  username: undefined,
  password: undefined,
})

/** Starts a server that says nothing and uses no clock. `connected` waits for that many connections. */
async function silent(): Promise<{ port: number; connected: (count: number) => Promise<void> }> {
  const sockets: Socket[] = []
  const server = createServer((socket) => void sockets.push(socket.on('error', () => {})))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const connected = async (count: number) => {
    while (sockets.length < count) await once(server, 'connection')
  }
  return { port: (server.address() as AddressInfo).port, connected }
}

/** Advances the clock, and lets what that triggers finish. */
async function pass(milliseconds: number): Promise<void> {
  vi.advanceTimersByTime(milliseconds)
  for (let turn = 0; turn < 100; turn++) await nextTurn()
}

test('connecting times out after 10 seconds, for a mail and for the login check', async () => {
  const { port, connected } = await silent()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const ended: string[] = []
  const end = (error: Error) => void ended.push(error.message)
  smtpMailer(settingsOf(port)).send(message).catch(end)
  checkSmtpLogin(settingsOf(port)).catch(end)
  await connected(2)
  await pass(9_999)
  const before = [...ended]
  await pass(1)
  expect(before).toEqual([])
  expect(ended.toSorted()).toEqual([
    expect.stringMatching(/did not let us in: .*(greeting|timeout)/i),
    expect.stringMatching(/did not take the mail: .*(greeting|timeout)/i),
  ])
})

test('sending a mail times out after a minute, even if its caller would wait longer', async () => {
  const server = await startSmtp({ hangs: 'content' })
  const late = new AbortController()
  // Node's own timer, which fake timers do not move.
  const limit = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(late.signal)
  onTestFinished(() => limit.mockRestore())
  const patient = new AbortController().signal
  const sending = smtpMailer(settingsOf(server.port)).send(message, patient)
  sending.catch(() => {})
  await expect.poll(() => server.connections).toBe(1)
  expect(limit).toHaveBeenCalledExactlyOnceWith(60_000)
  late.abort()
  await expect(sending).rejects.toThrow('it took longer than 60 seconds')
})
