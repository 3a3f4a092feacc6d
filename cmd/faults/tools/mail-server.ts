import type { Server } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import { onCleanUp } from './cleanup.ts'

export interface MailServer {
  /** The settings with which the service sends its mail here. */
  readonly settings: Readonly<Record<string, string>>
  /** The address of each completely received mail, in order. */
  readonly received: readonly string[]
}

/** Starts a real mail server, which answers each mail after `slowness` milliseconds, until the fault is over. */
export async function startMailServer(slowness: number): Promise<MailServer> {
  const received: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    closeTimeout: 1,
    async onData(stream, { envelope }, callback) {
      // A truncated mail does not count as received.
      const isWhole = await Array.fromAsync(stream).then(
        () => true,
        () => false,
      )
      if (!isWhole) return
      received.push(...envelope.rcptTo.map(({ address }) => address))
      await pause(slowness)
      callback()
    },
  })
  // A killed server hangs up.
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onCleanUp(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return { settings: mailTo(server.server), received }
}

/** Returns the settings with which the service sends its mail to a listening server. */
export function mailTo(listening: Server): Readonly<Record<string, string>> {
  const address = listening.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    MAIL_HOST: '127.0.0.1',
    MAIL_PORT: String(port),
    MAIL_FROM_ADDRESS: 'app@example.com',
  }
}
