import type { Config } from '../settings/config.ts'
import { messageOf } from '../error-message.ts'
import { type CertificateFault, certificateFault } from '../network/certificate-fault.ts'
import { hostPort } from '../network/host-port.ts'
import { judgeMessage, recipientsOf, type Mailer } from '../mail.ts'
import { faultOf, MailNotSent, withoutAnswer } from './send-fault.ts'
import { masked } from './masked.ts'
import type { Watcher } from './smtp-connection.ts'

type Settings = NonNullable<Config['mail']>

/** Milliseconds (spec: Limits). */
interface Limits {
  readonly connect: number
  readonly total: number
}

/**
 * Sends mails through an SMTP server. A mail that fails throws a `MailNotSent` with the server's answer and
 * no secret. A `watcher` gets the whole dialogue, including secrets.
 */
export function smtpMailer(
  settings: Settings,
  { connect, total }: Limits = { connect: 10_000, total: 60_000 },
  watcher?: Watcher,
): Mailer {
  return {
    async send(message, stop) {
      const complete = { ...message, from: message.from ?? settings.from }
      judgeMessage(complete)
      const { composeMail, transmit } = await import('./smtp-connection.ts')
      const late = AbortSignal.timeout(total)
      const signal = stop ? AbortSignal.any([stop, late]) : late
      const letter = {
        from: complete.from.address,
        to: recipientsOf(complete),
        content: await composeMail(complete),
      }
      try {
        await transmit(letter, serverOf(settings, connect), signal, watcher)
      } catch (error) {
        const reason = late.aborted
          ? `it took longer than ${total / 1000} seconds`
          : stop?.aborted
            ? 'the sending was stopped'
            : reasonOf(error)
        // Without the cause: it holds the dialogue with the server and the mail.
        // oxlint-disable-next-line preserve-caught-error
        throw new MailNotSent(notSent(settings, reason), signal.aborted ? 'time' : faultOf(error))
      }
    },
  }
}

/**
 * Checks whether the server would accept mails, as far as possible without sending one. Returns whether it
 * offers a login; throws as `smtpMailer` does.
 */
export async function checkSmtpLogin(
  settings: Settings,
  connect = 10_000,
): Promise<{ isOffered: boolean }> {
  const { logIn } = await import('./smtp-connection.ts')
  try {
    return await logIn(serverOf(settings, connect))
  } catch (error) {
    // Without the cause: it holds the dialogue with the server.
    // oxlint-disable-next-line preserve-caught-error
    throw new MailNotSent(refused(settings, 'let us in', reasonOf(error)), faultOf(error))
  }
}

function serverOf(settings: Settings, connect: number) {
  return { ...settings, tlsFromStart: settings.port === 465, connect }
}

function notSent(settings: Settings, reason: string): string {
  return refused(settings, 'take the mail', reason)
}

function refused(
  { host, port, username, password }: Settings,
  action: string,
  reason: string,
): string {
  return `${hostPort(host, port)} did not ${action}: ${masked(reason, { username, password }).slice(0, longestReason)}`
}

const longestReason = 2000

function reasonOf(error: unknown): string {
  const { code, response } = error as NodeJS.ErrnoException & { response?: string }
  const message = messageOf(error)
  const fault = certificateFault(withoutAnswer(error))
  const hint = fault ? certificateHints[fault] : ''
  // nodemailer repeats the server's answer in its message: once is enough.
  const withoutRepeat = message.replace(` response=${response}`, '').replaceAll(/[\r\n]+/g, ' ')
  return `${withoutRepeat.replace(nodesAdvice, '') || code || 'no reason was given'}${hint}`
}

/** Cut off the message: the executable accepts no options of Node. */
const nodesAdvice =
  /; if the root CA is installed locally, try running Node\.js with --use-system-ca$/

const certificateHints: Readonly<Record<CertificateFault, string>> = {
  time: ' (renew it there, or set the clock of this machine)',
  name: ' (set MAIL_HOST to a name that the certificate is for)',
  authority: ' (a certificate of your own is trusted when NODE_EXTRA_CA_CERTS names its file)',
}
