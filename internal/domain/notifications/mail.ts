import { paths } from '../../../web/contract/paths.ts'
import type { Language } from '../../../web/contract/languages.ts'
import { serverWords } from '../../../web/contract/words/server-words.ts'
import { knownLanguage } from '../mails/language-of.ts'
import { noticeMail } from '../mails/mails.ts'
import { type Notice, placeOf, readNotice } from './notification-kinds.ts'
import type {
  NotificationData,
  NotificationKind,
} from '../../../web/contract/notification-lines.ts'
import type { MailWords } from '../../../web/contract/mail-words.ts'
import type { App } from '../../app.ts'
import type { JobPayloads } from '../../services/jobs/job-names.ts'

/** Runs the job `notification-mail`: mails the address that the account had when it changed. */
export async function mailNotice(
  app: App,
  { to, at, language: tag, ...stored }: JobPayloads['notification-mail'],
  signal: AbortSignal,
): Promise<void> {
  const notice = readNotice(stored)
  // Pushed by another version, of which a server may be running: the next to take the job may be that one.
  if (!notice)
    throw new Error(
      `This version knows no mail about ${JSON.stringify(stored.kind)} with such data: run the version that made the change, or a later one, and try again.`,
    )
  const language = knownLanguage(tag)
  const mail = noticeMail(wordsOf(notice, language), {
    to,
    link: app.config.origin + placeOf(notice),
    resetLink: app.config.origin + paths['password.request'],
    links: app.config.links,
    at: new Date(at),
    language,
  })
  await app.mailer.send(mail, signal)
}

function wordsOf<Kind extends NotificationKind>(
  { kind, data }: { kind: Kind; data: NotificationData[Kind] } & Notice,
  language: Language,
): MailWords {
  return serverWords[language].mails.notices[kind](data)
}
