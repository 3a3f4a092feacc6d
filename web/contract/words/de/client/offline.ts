import type { offline as en } from '../../en/client/offline.ts'
import type { Translated } from '../../translated.ts'

/** Messages while the network is gone, and once it is back. */
export const offline: Translated<typeof en> = {
  away: 'Sie sind offline. Ihre Eingaben bleiben erhalten.',
  back: 'Die Verbindung ist wieder da.',
  backUnsure:
    'Die Verbindung ist wieder da. Auf Ihre letzte Aktion kam keine Antwort: Prüfen Sie, ob sie ausgeführt wurde, bevor Sie sie wiederholen.',
  unheard:
    'Auf Ihre letzte Aktion war noch keine Antwort da, als Sie die Seite verließen: Prüfen Sie, ob sie ausgeführt wurde, bevor Sie sie wiederholen.',
  photoUnsent:
    'Ihr Foto wurde nicht gesendet, weil Sie die Seite zu früh verlassen haben. Wählen Sie es noch einmal aus.',
  page: 'Es gibt gerade keine Verbindung zum Server. Sobald sie wieder da ist, öffnet sich die Seite von selbst.',
}
