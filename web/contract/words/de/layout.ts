import { plural } from '../plural.ts'
import type { layout as en } from '../en/layout.ts'
import type { Translated } from '../translated.ts'

export const layout: Translated<typeof en> = {
  skip: 'Zum Inhalt springen',
  account: 'Kontomenü',
  settings: 'Einstellungen',
  notifications: 'Benachrichtigungen',
  count: (unread) => (unread > 99 ? '99+' : String(unread)),
  unread: (count) =>
    count === 0
      ? 'Keine ungelesenen Benachrichtigungen'
      : plural('de', count, {
          one: '# ungelesene Benachrichtigung',
          other: '# ungelesene Benachrichtigungen',
        }),
}
