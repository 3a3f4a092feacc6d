import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import type { Envelope } from '../../../../internal/base/mailer/folder-mailer.ts'

/** A mail in the mailbox, parsed from what SMTP would have sent. */
export interface KeptMail {
  readonly id: string
  readonly at: Date
  readonly envelope: Envelope
  readonly from: string
  readonly subject: string
  /** Every header line of the mail, with encoded words decoded. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly text: string | undefined
  readonly html: string | undefined
  readonly files: readonly KeptFile[]
  readonly source: Buffer
}

export interface KeptFile {
  readonly name: string
  readonly type: string
  readonly content: Uint8Array
}

const mostShown = 100

/** Returns the newest 100 mails, newest first. */
export async function newestMails(folder: string): Promise<KeptMail[]> {
  // The folder does not exist before the first mail.
  const names = await readdir(folder).catch(() => [])
  const ids = names.filter((name) => name.endsWith('.eml')).map((name) => name.slice(0, -4))
  const newest = ids.toSorted().toReversed().slice(0, mostShown)
  const mails = await Promise.all(newest.map((id) => keptMail(id, folder)))
  return mails.filter((mail) => mail !== undefined)
}

/** Returns a mail of the mailbox; undefined if it is not there. */
export async function keptMail(id: string, folder: string): Promise<KeptMail | undefined> {
  const [, day, hours, minutes, seconds] =
    /^([\d-]{10})T(\d\d)(\d\d)([\d.]{6}Z)-\d+$/.exec(id) ?? []
  if (day === undefined) return undefined
  const path = join(folder, id)
  const source = await readFile(`${path}.eml`).catch(() => undefined)
  if (!source) return undefined
  const envelope = JSON.parse(await readFile(`${path}.json`, 'utf8')) as Envelope
  const mail = await PostalMime.parse(source)
  return {
    id,
    at: new Date(`${day}T${hours}:${minutes}:${seconds}`),
    envelope,
    from: mail.from ? [mail.from.name, mail.from.address].filter(Boolean).join(' · ') : '',
    subject: mail.subject ?? '',
    headers: mail.headers.map(({ originalKey, value }) => [originalKey, value]),
    text: mail.text,
    html: mail.html,
    files: mail.attachments.map(({ filename, mimeType, content }, at) => ({
      name: filename ?? `file-${at + 1}`,
      type: mimeType,
      content: typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content),
    })),
    source,
  }
}
