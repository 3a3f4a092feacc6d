import type * as en from '../../en/auth/recover.ts'
import type { Translated } from '../../translated.ts'

/** The pages that a mailed link or a guard leads to. */
export const forgotPassword: Translated<typeof en.forgotPassword> = {
  heading: 'Passwort vergessen?',
  lead: 'Nennen Sie uns Ihre E-Mail-Adresse. Wenn es dazu ein Konto gibt, schicken wir Ihnen einen Link, mit dem Sie ein neues Passwort festlegen.',
  back: 'Doch wieder eingefallen?',
}

export const resetPassword: Translated<typeof en.resetPassword> = {
  heading: 'Passwort festlegen',
  lead: 'Wählen Sie ein Passwort, mit dem Sie sich künftig anmelden, auch wenn Ihre Passkeys verloren sind. Alle anderen Browser werden dabei abgemeldet.',
  back: 'Ist der Link abgelaufen?',
  again: 'Neuen Link anfordern',
}

/** Replaces the form when the link no longer works. */
export const resetOver: Translated<typeof en.resetOver> = {
  heading: 'Dieser Link gilt nicht mehr',
  lead: 'Er ist abgelaufen, wurde schon verwendet oder nicht vollständig kopiert.',
  to: 'Wir können einen neuen an diese Adresse senden:',
  send: 'Neuen Link senden',
}

/** After the form was sent. The page does not reveal whether there is such an account. */
export const resetSent: Translated<typeof en.resetSent> = {
  lead: 'Wenn es zu dieser E-Mail-Adresse ein Konto gibt, ist ein Link für ein neues Passwort unterwegs:',
}

export const confirmPassword: Translated<typeof en.confirmPassword> = {
  heading: 'Bestätigen Sie, dass Sie es sind',
  lead: 'Es geht um Änderungen an Ihrem Konto. Geben Sie deshalb bitte noch einmal Ihr Passwort ein.',
  leadPasskey:
    'Es geht um Änderungen an Ihrem Konto. Verwenden Sie deshalb bitte noch einmal Ihren Passkey.',
  unable:
    'Ihr Browser kann derzeit keinen Passkey verwenden, denn dafür ist JavaScript nötig. Ohne JavaScript geht es so weiter: Melden Sie sich ab und fordern Sie einen Link an, mit dem Sie ein Passwort festlegen.',
  lost: 'Passwort vergessen? Melden Sie sich ab und fordern Sie einen Link an, mit dem Sie ein neues festlegen.',
  lostPasskey:
    'Passkey verloren? Melden Sie sich ab und fordern Sie einen Link an, mit dem Sie ein Passwort festlegen.',
}

export const verify: Translated<typeof en.verify> = {
  lead: 'Öffnen Sie zur Bestätigung den Link, den wir an diese Adresse geschickt haben:',
}
