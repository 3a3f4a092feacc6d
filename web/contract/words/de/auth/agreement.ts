import type { agreement as en } from '../../en/auth/agreement.ts'
import type { Translated } from '../../translated.ts'

export const agreement: Translated<typeof en> = {
  both: 'Wenn Sie ein Konto anlegen, stimmen Sie den [Nutzungsbedingungen](terms) zu. Was mit Ihren Daten geschieht, steht in der [Datenschutzerklärung](privacy).',
  terms: 'Wenn Sie ein Konto anlegen, stimmen Sie den [Nutzungsbedingungen](terms) zu.',
  privacy: 'Was mit Ihren Daten geschieht, steht in der [Datenschutzerklärung](privacy).',
  newTab: '(öffnet sich in einem neuen Tab)',
}
