import type { guardWords as en } from '../en/guards.ts'
import type { Translated } from '../translated.ts'

/** Why a guard refused a request that wants JSON. */
export const guardWords: Translated<typeof en> = {
  users: 'Melden Sie sich zuerst an.',
  verified: 'Bestätigen Sie zuerst Ihre E-Mail-Adresse.',
  confirmed: 'Bestätigen Sie zuerst, dass Sie es sind.',
}
