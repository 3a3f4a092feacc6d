import { isolated } from '../../isolated.ts'
import { codeDigits } from '../../../limits.ts'
import { inWords } from '../format/numbers.ts'
import type {
  challenge as enChallenge,
  registerPasskey as enPasskey,
} from '../../en/auth/challenge.ts'
import type { Translated } from '../../translated.ts'

/** The page where a login asks for its code. */
export const challenge: Translated<typeof enChallenge> = {
  heading: 'Anmeldung bestätigen',
  lead: 'Ein Schritt fehlt noch: Geben Sie einen Code ein, um sich anzumelden.',
  codeHint: `Die ${inWords(codeDigits)} Ziffern, die Ihre Authenticator-App gerade anzeigt.`,
  codeSent: 'Mit der letzten wird der Code meist sofort abgeschickt.',
  recovery: 'Wiederherstellungscode verwenden',
  recoveryHint: 'Einer der Codes, die Sie gesichert haben. Jeder gilt nur einmal.',
  app: 'Authenticator-App verwenden',
  other: 'Falsches Konto?',
  back: 'Zurück zur Anmeldung',
}

/** The page for a new account's passkey, where the mailed link leads. */
export const registerPasskey: Translated<typeof enPasskey> = {
  heading: 'Passkey erstellen',
  lead: (name) =>
    `Nur noch ein Schritt, ${isolated(name)}. Das Konto wird für diese E-Mail-Adresse angelegt:`,
  about:
    'Ein Passkey ersetzt das Passwort: Er liegt auf diesem Gerät, und Sie melden sich per Fingerabdruck, Gesicht oder Gerätecode an.',
  unable:
    'Ihr Browser kann derzeit keinen Passkey erstellen. Dafür sind JavaScript und ein aktueller Browser nötig.',
  other: 'Lieber ein Passwort?',
}
