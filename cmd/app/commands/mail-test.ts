import { appName } from '../../../web/contract/name.ts'
import { escapeControls } from '../../../internal/base/text/escape.ts'
import { sender } from '../../../internal/base/settings/setting-types.ts'
import { dialogue } from '../../../internal/base/mailer/smtp-transcript.ts'
import { type MailFault, MailNotSent } from '../../../internal/base/mailer/send-fault.ts'
import { smtpMailer } from '../../../internal/base/mailer/smtp.ts'
import { readSettings } from '../settings/read-settings.ts'
import type { Config } from '../../../internal/base/settings/config.ts'
import type { Message } from '../../../internal/base/mail.ts'

/** Sends a mail as the server would, and prints the dialogue with the mail server, without secrets. */
export async function testMail(address: string): Promise<number> {
  const { config } = await readSettings()
  if (sender.read(address) === undefined) {
    console.error(
      `error: ${escapeControls(JSON.stringify(address))} is not the address of one mailbox.`,
    )
    return 2
  }
  if (!config.mail) {
    console.error(noMailServer)
    return 1
  }
  const { host, port } = config.mail
  console.log(`-- ${host} port ${port}${port === 465 ? ', TLS from the start' : ''}`)
  const transcript = dialogue(config.mail, (line) => console.log(line))
  try {
    await smtpMailer(config.mail, undefined, transcript).send(message(config, address))
  } catch (error) {
    if (!(error instanceof MailNotSent)) throw error
    console.error(`${escapeControls(error.message)}\n${advice[error.fault]}`)
    return 1
  }
  console.log(
    `The server took the mail to ${escapeControls(address)}. Whether it arrives, the mailbox tells.`,
  )
  return 0
}

const noMailServer = `MAIL_HOST is not set, so no mail is sent: ${appName} writes each one to its log, and the development runner keeps it at /_dev/mail.
Set MAIL_HOST and MAIL_FROM_ADDRESS, as in
      MAIL_HOST=smtp.example.com
      MAIL_FROM_ADDRESS=accounts@example.com`

function message({ origin }: Config, address: string): Message {
  return {
    to: [{ address }],
    subject: `A test mail from ${appName}`,
    text: `Hello,\n\nsomebody who runs ${appName} at ${origin} asked for this mail, to see whether mails arrive. There is nothing to do.\n`,
  }
}

/** What to check, and which setting to change. */
export const advice: Readonly<Record<MailFault, string>> = {
  name: 'No server has this name. Check MAIL_HOST.',
  connection:
    'Nothing accepts connections there. Check MAIL_HOST and MAIL_PORT, and whether a firewall blocks the connection.',
  silence:
    'It does not answer. Check MAIL_HOST and MAIL_PORT: a server that wants TLS from the start has port 465, one that does not mostly 587, and many networks close port 25.',
  greeting:
    'What answers there does not speak as a mail server should, or serves nobody now. Check MAIL_HOST and MAIL_PORT.',
  certificate:
    'Its certificate is not trusted. Set MAIL_HOST to a name that the certificate is for, or NODE_EXTRA_CA_CERTS to the file of the authority it comes from; one that has expired has to be renewed there.',
  encryption:
    'The connection could not be encrypted, and a password goes to no other machine in the clear. Check MAIL_PORT: 465 means TLS from the start, any other STARTTLS.',
  account:
    'It wants an account, or refuses this one: what it answered says why. Check MAIL_USERNAME and MAIL_PASSWORD.',
  sender:
    'It does not take mail from this sender, or not now: what it answered says why. Check MAIL_FROM_ADDRESS, and which senders the account may use.',
  recipient:
    'It does not take mail for this address, or not yet: what it answered says why. Try another; if it takes none outside its own domain, it wants MAIL_USERNAME and MAIL_PASSWORD of an account that may send there.',
  content: 'It took sender and recipient, and not the mail itself. What it answered says why.',
  line: 'The connection was lost on the way. Try again, and look at what the server logged.',
  time: 'The mail may have been taken all the same: the last line above tells how far it got. Check what the server logged, and try again.',
}
