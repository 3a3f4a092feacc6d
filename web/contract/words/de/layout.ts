import { mostUnread } from '../../limits.ts'
import { plural } from '../plural.ts'
import type { layout as en } from '../en/layout.ts'
import type { Translated } from '../translated.ts'

export const layout: Translated<typeof en> = {
  skip: 'Zum Inhalt springen',
  account: 'Kontomenü',
  settings: 'Einstellungen',
  notifications: 'Benachrichtigungen',
  count: (unread) => (unread < mostUnread ? String(unread) : `${mostUnread - 1}+`),
  unread: (count) =>
    count === 0
      ? 'Keine ungelesenen Benachrichtigungen'
      : count >= mostUnread
        ? `Mehr als ${mostUnread - 1} ungelesene Benachrichtigungen`
        : plural('de', count, {
            one: '# ungelesene Benachrichtigung',
            other: '# ungelesene Benachrichtigungen',
          }),
}
