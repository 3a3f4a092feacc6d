import { type Notice, readNotice } from './notification-kinds.ts'
import type {
  KindLines,
  Lines,
  NotificationData,
  NotificationKind,
} from '../../../web/contract/notification-lines.ts'

/** Returns the line of a stored notification in the reader's language (spec: Notification). */
export function lineOf(stored: { kind: string; data: string }, lines: Lines): string {
  const notice = readNotice(stored)
  return notice ? lineOfKind(lines, notice) : lines.unknown()
}

function lineOfKind<Kind extends NotificationKind>(
  lines: KindLines,
  { kind, data }: { kind: Kind; data: NotificationData[Kind] } & Notice,
): string {
  return lines[kind](data)
}
