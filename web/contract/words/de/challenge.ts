import { codeDigits } from '../../limits.ts'
import { inWords } from './numbers.ts'
import type { challenge as enChallenge, registerPasskey as enPasskey } from '../en/challenge.ts'
import type { Translated } from '../translated.ts'

/** The page that a login waits for its code on. */
export const challenge: Translated<typeof enChallenge> = {
  heading: 'Anmeldung bestätigen',
  lead: 'Ihr Passwort stimmt. Jetzt fehlt nur noch der Code.',
  codeHint: `Die ${inWords(codeDigits)} Ziffern, die Ihre Authenticator-App gerade anzeigt.`,
  recovery: 'Lieber einen Wiederherstellungscode verwenden',
  recoveryHint: 'Einer der acht, die Sie beim Einschalten gesichert haben. Jeder gilt einmal.',
  app: 'Lieber die Authenticator-App verwenden',
  other: 'Nicht Ihre Anmeldung?',
  back: 'Zurück zur Anmeldung',
}

/** The page that the mailed link of a new account leads to. */
export const registerPasskey: Translated<typeof enPasskey> = {
  heading: 'Passkey erstellen',
  lead: (name) =>
    `Nur noch ein Schritt, ${name}. Das Konto wird für diese E-Mail-Adresse angelegt:`,
  about:
    'Ein Passkey ersetzt das Passwort: Dieses Gerät bewahrt ihn auf und fragt nach Ihrem Fingerabdruck, Ihrem Gesicht oder dem Gerätecode.',
  unable:
    'Ihr Browser kann derzeit keinen Passkey erstellen. Dafür braucht es JavaScript und einen Browser aus den letzten Jahren.',
  other: 'Lieber ein Passwort?',
}
