import type { clientWords as en } from '../en/client.ts'
import type { Translated } from '../translated.ts'

/** What the page client says by itself. */
export const clientWords: Translated<typeof en> = {
  gone: 'Der Server ist nicht erreichbar. Versuchen Sie es gleich noch einmal, Ihre Eingaben sind noch da.',
  notAPage:
    'Der Server hat unverständlich geantwortet. Versuchen Sie es gleich noch einmal, Ihre Eingaben sind noch da.',
  dismiss: 'Schließen',
}
