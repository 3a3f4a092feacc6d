import type { footer as en } from '../en/footer.ts'
import type { Translated } from '../translated.ts'

export const footer: Translated<typeof en> = {
  support: 'Hilfe',
  terms: 'Nutzungsbedingungen',
  privacy: 'Datenschutzerklärung',
}
