import type { agreement as en } from '../en/agreement.ts'
import type { Translated } from '../translated.ts'

export const agreement: Translated<typeof en> = {
  both: 'Wenn Sie ein Konto anlegen, stimmen Sie den [Nutzungsbedingungen](terms) und der [Datenschutzerklärung](privacy) zu.',
  terms: 'Wenn Sie ein Konto anlegen, stimmen Sie den [Nutzungsbedingungen](terms) zu.',
  privacy: 'Wenn Sie ein Konto anlegen, stimmen Sie der [Datenschutzerklärung](privacy) zu.',
  newTab: '(öffnet sich in einem neuen Tab)',
}
