import { isolated } from '../../isolated.ts'
import { codeDigits } from '../../../limits.ts'
import { plural } from '../../plural.ts'
import { inWords } from '../format/numbers.ts'
import type * as en from '../../en/settings/two-factor.ts'
import type { Translated } from '../../translated.ts'

export const copying: Translated<typeof en.copying> = {
  done: 'Kopiert.',
  failed:
    'Das Kopieren hat nicht geklappt. Der Text ist jetzt markiert: Kopieren Sie ihn von Hand.',
}

/** Two-factor login on the security page. */
export const twoFactor: Translated<typeof en.twoFactor> = {
  heading: 'Anmeldung in zwei Schritten',
  lead: 'Nach dem Passwort geben Sie einen Code ein, den eine App auf Ihrem Telefon anzeigt. So kommt mit Ihrem Passwort allein niemand in Ihr Konto.',
  leadNoPassword:
    'Sie melden sich mit einem Passkey an, der keinen Code verlangt. Codes zählen, sobald Sie auch ein Passwort haben: Dann kommt mit diesem allein niemand in Ihr Konto.',
  on: 'Die Anmeldung in zwei Schritten ist eingeschaltet.',
  scan: 'Scannen Sie diesen Code mit einer Authenticator-App',
  scanText: 'Zum Beispiel Aegis, 1Password, Google Authenticator oder Apple Passwörter.',
  qr: 'Der Schlüssel als QR-Code für eine Authenticator-App',
  typed: 'Oder geben Sie in der App diesen Schlüssel ein',
  copyKey: 'Schlüssel kopieren',
  open: 'In der App auf diesem Gerät öffnen',
  codeSent: 'Mit der letzten Ziffer wird der Code meist sofort abgeschickt.',
  confirm: `Geben Sie dann die ${inWords(codeDigits)} Ziffern aus der App ein`,
  giveUp: 'Abbrechen',
  codes: 'Wiederherstellungscodes',
  codesText:
    'Jeder ersetzt einmal den Code der App. Bewahren Sie sie so auf, dass Sie auch ohne Ihr Telefon herankommen.',
  shownNow:
    'Die Codes bleiben stehen, bis Sie diese Seite verlassen. Später können Sie sie wieder anzeigen.',
  shownOnce:
    'Die Codes werden nur dieses eine Mal angezeigt: Sichern Sie sie, bevor Sie diese Seite verlassen.',
  left: (count) =>
    plural('de', count, {
      one: 'Sie haben noch einen Wiederherstellungscode.',
      other: 'Sie haben noch # Wiederherstellungscodes.',
    }),
  notSaved: 'Sie haben sie noch nicht gesichert.',
  saved: 'Ich habe sie gesichert',
  few: (count) =>
    count === 0
      ? 'Sie haben keinen Wiederherstellungscode mehr. Erstellen Sie neue: Ohne Ihr Telefon könnten Sie sich sonst nicht anmelden.'
      : plural('de', count, {
          one: 'Sie haben nur noch einen Wiederherstellungscode. Erstellen Sie neue, bevor er verbraucht ist.',
          other:
            'Sie haben nur noch # Wiederherstellungscodes. Erstellen Sie neue, bevor sie verbraucht sind.',
        }),
  of: (email) => `Wiederherstellungscodes für ${isolated(email)}`,
  copy: 'Kopieren',
  download: 'Herunterladen',
  print: 'Drucken',
  sure: 'Anmeldung in zwei Schritten ausschalten?',
  sureText:
    'Dann genügt Ihr Passwort, um sich anzumelden, und Ihre Wiederherstellungscodes gelten nicht mehr.',
  sureTextNoPassword:
    'Ihre Wiederherstellungscodes gelten dann nicht mehr. Sobald Sie auch ein Passwort haben, genügt es, um sich anzumelden.',
  keep: 'Eingeschaltet lassen',
}
