import type { Log } from '../log.ts'
import { judgeMessage, type Mailbox, type Mailer } from '../mail.ts'

/** Writes mails to the log: addresses, subject and whole lines of text, so that links can be followed. */
export function logMailer(log: Log): Mailer {
  return {
    async send(message, signal) {
      judgeMessage(message)
      signal?.throwIfAborted()
      const { from, to, cc, bcc, replyTo, subject, unsubscribe, attachments, text } = message
      log.info('mail', {
        from: from && written(from),
        to: to.map(written),
        cc: cc?.map(written),
        bcc: bcc?.map(written),
        replyTo: replyTo?.map(written),
        subject,
        unsubscribe,
        files: attachments?.map(({ name, content }) => `${name} (${content.length} bytes)`),
      })
      for (const line of text.split(/\r\n|\r|\n/)) if (line.trim()) log.info(`mail | ${line}`)
    },
  }
}

function written({ name, address }: Mailbox): string {
  return name ? `${name} <${address}>` : address
}
