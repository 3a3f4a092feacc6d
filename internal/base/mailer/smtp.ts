import type { Config } from '../config.ts'
import { judgeMessage, recipientsOf, type Mailer } from '../mail.ts'

type Settings = NonNullable<Config['mail']>

/** Milliseconds (spec: Limits). */
interface Limits {
  readonly connect: number
  readonly whole: number
}

/** Hands mails to an SMTP server. What a failed one throws says what the server answered, and no secret. */
export function smtpMailer(
  settings: Settings,
  { connect, whole }: Limits = { connect: 10_000, whole: 60_000 },
): Mailer {
  return {
    async send(message, stop) {
      const own = { ...message, from: message.from ?? settings.from }
      judgeMessage(own)
      const { composeMail, transmit } = await import('./nodemailer.ts')
      const late = AbortSignal.timeout(whole)
      const signal = stop ? AbortSignal.any([stop, late]) : late
      const letter = {
        from: own.from.address,
        to: recipientsOf(own),
        content: await composeMail(own),
      }
      try {
        const tlsFromStart = settings.port === 465
        await transmit(letter, { ...settings, tlsFromStart, connect }, signal)
      } catch (error) {
        const why = late.aborted
          ? `it took longer than ${whole / 1000} seconds`
          : stop?.aborted
            ? 'the sending was stopped'
            : reasonOf(error)
        // Without the cause, which holds what was said and sent.
        // oxlint-disable-next-line preserve-caught-error
        throw new Error(notSent(settings, why))
      }
    },
  }
}

function notSent({ host, port, username = '', password }: Settings, why: string): string {
  const server = `${host.includes(':') ? `[${host}]` : host}:${port}`
  return `${server} did not take the mail: ${masked(why, username, password).slice(0, longestReason)}`
}

const longestReason = 2000

function reasonOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException
  const hint = /certificate/i.test(message) ? untrusted : ''
  return `${message.replace(nodesAdvice, '') || code || 'no reason was given'}${hint}`
}

/** The executable takes no options of Node. */
const nodesAdvice =
  /; if the root CA is installed locally, try running Node\.js with --use-system-ca$/

const untrusted = ' (a certificate of your own is trusted when NODE_EXTRA_CA_CERTS names its file)'

/** A server may repeat what it was told, as it was told: in base64. */
function masked(text: string, username: string, password: string | undefined): string {
  if (password === undefined) return text
  const plain = [`\0${username}\0${password}`, password]
  const secrets = [...plain.map((secret) => Buffer.from(secret).toString('base64')), password]
  return secrets
    .filter((secret) => secret.length >= shortestMasked)
    .reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text)
}

/** Characters. Less is part of any other word too. */
const shortestMasked = 4
