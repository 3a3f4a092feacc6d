import type { agreement as en } from '../en/agreement.ts'
import type { Translated } from '../translated.ts'

export const agreement: Translated<typeof en> = {
  both: 'Mit dem Anlegen Ihres Kontos stimmen Sie den [Nutzungsbedingungen](terms) und der [Datenschutzerklärung](privacy) zu.',
  terms: 'Mit dem Anlegen Ihres Kontos stimmen Sie den [Nutzungsbedingungen](terms) zu.',
  privacy: 'Mit dem Anlegen Ihres Kontos stimmen Sie der [Datenschutzerklärung](privacy) zu.',
  newTab: '(öffnet in einem neuen Tab)',
}
