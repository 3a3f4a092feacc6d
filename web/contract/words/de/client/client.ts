import type { clientWords as en } from '../../en/client/client.ts'
import type { Translated } from '../../translated.ts'

/** Messages of the page client itself. */
export const clientWords: Translated<typeof en> = {
  gone: 'Der Server antwortet nicht. Ihre Eingaben bleiben: Versuchen Sie es erneut.',
  notAPage: 'Der Server antwortet unverständlich. Ihre Eingaben bleiben: Versuchen Sie es erneut.',
  dismiss: 'Schließen',
}
