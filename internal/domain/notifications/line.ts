import { en } from '#words/lines'
import { type Notice, readNotice } from './notification-kinds.ts'
import type { Catalogue } from '../../../web/contract/words/catalogues.ts'
import type {
  KindLines,
  NotificationData,
  NotificationKind,
} from '../../../web/contract/notification-lines.ts'

/** A line and the language it is in (BCP 47). */
export interface Line {
  readonly text: string
  readonly language: string
}

/** What a stored notification says, in the reader's language if its catalogue has the line (spec: Notification). */
export function lineOf(stored: { kind: string; data: string }, reader: Catalogue): Line {
  const notice = readNotice(stored)
  const text = notice ? said(reader.lines, notice) : reader.lines.unknown?.()
  if (text !== undefined) return { text, language: reader.language }
  return { text: inEnglish(notice), language: 'en' }
}

function inEnglish(notice: Notice | undefined): string {
  return (notice && said(en, notice)) ?? en.unknown()
}

function said<Kind extends NotificationKind>(
  lines: Partial<KindLines>,
  { kind, data }: { kind: Kind; data: NotificationData[Kind] },
): string | undefined {
  return lines[kind]?.(data)
}
