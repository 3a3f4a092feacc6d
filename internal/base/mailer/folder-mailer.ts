import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { escapeControls } from '../text/escape.ts'
import { judgeMessage, recipientsOf, type Mailer, type Message } from '../mail.ts'

/** Recipients of a mail that its headers do not reveal: all of them, and those of Bcc. */
export interface Envelope {
  readonly to: readonly string[]
  readonly bcc: readonly string[]
}

/**
 * Stores each mail in a folder as SMTP would send it, `<time>-<number>.eml`, with its envelope beside it in
 * `.json`, and prints a line about it. For the development runner.
 */
export function folderMailer(folder: string, print: (line: string) => void): Mailer {
  let number = 0
  return {
    async send(message, signal) {
      judgeMessage(message)
      const { composeMail } = await import('./smtp-connection.ts')
      const content = await composeMail(message)
      signal?.throwIfAborted()
      const envelope: Envelope = {
        to: recipientsOf(message),
        bcc: message.bcc?.map(({ address }) => address) ?? [],
      }
      number += 1
      const time = new Date().toISOString().replaceAll(':', '')
      const path = join(folder, `${time}-${String(number).padStart(6, '0')}`)
      // For the owner only: mails contain links to set passwords.
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeFile(`${path}.json`, JSON.stringify(envelope), { mode: 0o600 })
      await writeFile(`${path}.part`, content, { mode: 0o600 })
      // A mail gets its name only once it is whole and its envelope is written.
      await rename(`${path}.part`, `${path}.eml`)
      print(lineOf(message, envelope))
    },
  }
}

function lineOf({ subject, text }: Message, { to, bcc }: Envelope): string {
  const link = /https?:\/\/\S+/.exec(text)?.[0]
  const hidden = bcc.length > 0 ? ` (Bcc ${bcc.join(', ')})` : ''
  return escapeControls(
    `Mail to ${to.join(', ')}${hidden}: ${subject}${link ? `. Link: ${link}` : ''}`,
  )
}
