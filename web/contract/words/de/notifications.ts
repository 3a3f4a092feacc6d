import { notificationDays } from '../../limits.ts'
import type { notifications as en } from '../en/notifications.ts'
import type { Translated } from '../translated.ts'

export const notifications: Translated<typeof en> = {
  heading: 'Benachrichtigungen',
  lead: `Was sich in Ihrem Konto geändert hat. Gelesenes wird nach ${notificationDays} Tagen gelöscht.`,
  none: 'Noch nichts',
  noneText:
    'Hier erfahren Sie, wenn sich in Ihrem Konto etwas ändert oder sich jemand mit einem neuen Browser anmeldet.',
  isNew: 'Neu',
  which: 'Benachrichtigungen filtern',
  all: 'Alle',
  unread: 'Ungelesen',
  noneUnread: 'Nichts Ungelesenes',
  noneUnreadText: 'Sie haben alles gelesen.',
  seeAll: 'Alle Benachrichtigungen ansehen',
  from: (address) => `von ${address}`,
  pages: 'Seiten der Benachrichtigungen',
  newer: 'Neuere',
  older: 'Ältere',
}
