import * as limits from '../../limits.ts'
import { grouped } from '../grouped.ts'
import { plural } from '../plural.ts'
import { beginningInWords, inWords } from './format/numbers.ts'
import type { errorWords as en } from '../en/errors.ts'
import type { Translated } from '../translated.ts'

/** What is wrong with a field or a form, and what to do. */
export const errorWords: Translated<typeof en> = {
  required: 'Füllen Sie dieses Feld aus.',
  email: 'Geben Sie eine E-Mail-Adresse ein, zum Beispiel anna@example.com.',
  emailLong: `Geben Sie eine E-Mail-Adresse mit höchstens ${limits.longestEmail} Zeichen ein.`,
  nameLong: `Geben Sie einen Namen mit höchstens ${limits.longestName} Zeichen ein.`,
  control: 'Entfernen Sie die Zeichen, die sich nicht anzeigen lassen.',
  passwordShort: `Verwenden Sie mindestens ${limits.shortestPassword} Zeichen.`,
  passwordLong: `Verwenden Sie höchstens ${limits.longestPassword} Zeichen.`,
  passwordMismatch: 'Die beiden Passwörter stimmen nicht überein.',
  taken:
    'Zu dieser E-Mail-Adresse gibt es schon ein Konto. Melden Sie sich an oder nehmen Sie eine andere.',
  wrongPassword: 'Das Passwort stimmt nicht.',
  noPassword: 'Ihr Konto hat noch kein Passwort. Legen Sie zuerst unter „Sicherheit“ eins fest.',
  linkInvalid: 'Dieser Link gilt nicht mehr. Fordern Sie einen neuen an.',
  wrongLogin: 'E-Mail-Adresse oder Passwort stimmt nicht.',
  invalid: 'Einige Angaben stimmen noch nicht.',
  takenByOther: 'Diese E-Mail-Adresse gehört zu einem anderen Konto. Nehmen Sie eine andere.',
  photoMissing: 'Wählen Sie zuerst ein Foto aus.',
  photoType: 'Wählen Sie ein Foto im Format PNG, JPEG oder WebP.',
  photoParts:
    'Dieses Foto besteht aus zu vielen Teilen. Speichern Sie es als JPEG, und wählen Sie das.',
  photoLarge: `Wählen Sie ein Foto mit höchstens ${limits.photoMegabytes}\u00a0MB.`,
  photoAgain: 'Das Foto konnte nicht gespeichert werden. Laden Sie es noch einmal hoch.',
  photoWide: `Wählen Sie ein Foto mit höchstens ${grouped(limits.widestPhoto, '.')} Pixeln je Seite.`,
  wrongCode:
    'Dieser Code stimmt nicht oder wurde schon verwendet. Nehmen Sie den, der jetzt angezeigt wird.',
  wrongRecoveryCode: 'Dieser Wiederherstellungscode stimmt nicht oder wurde schon verwendet.',
  codesLost:
    'Für dieses Konto lässt sich zurzeit kein Code prüfen. Wenden Sie sich an den Betreiber dieses Dienstes.',
  codeMissing:
    'Geben Sie den Code Ihrer Authenticator-App oder einen Ihrer Wiederherstellungscodes ein.',
  setUpOver: 'Das Einrichten hat zu lange gedauert. Fangen Sie noch einmal an.',
  setUpAnew:
    'Das Einrichten wurde in einem anderen Tab neu begonnen. Scannen Sie den Code oben noch einmal: Es ist jetzt ein anderer.',
  twoFactorIsOn:
    'Die Anmeldung in zwei Schritten ist schon eingeschaltet. Schalten Sie sie zuerst aus, um eine andere App einzurichten.',
  twoFactorIsOff: 'Die Anmeldung in zwei Schritten ist ausgeschaltet. Schalten Sie sie zuerst ein.',
  passkeyRefused:
    'Dieser Passkey hat nicht funktioniert. Versuchen Sie es noch einmal oder auf einem anderen Weg.',
  passkeyUnknown:
    'Zu diesem Passkey gibt es hier kein Konto. Nehmen Sie einen anderen, oder melden Sie sich auf einem anderen Weg an.',
  passkeyOver: 'Das hat zu lange gedauert. Versuchen Sie es noch einmal.',
  passkeyEarly: 'Die Seite war für Passkeys noch nicht bereit. Drücken Sie noch einmal.',
  passkeyTaken: 'Diesen Passkey gibt es hier schon.',
  passkeysFull: `Sie haben ${inWords(limits.mostPasskeys)} Passkeys, mehr sind nicht möglich. Entfernen Sie zuerst einen.`,
  lastWayIn:
    'Fügen Sie zuerst ein Passwort oder einen weiteren Passkey hinzu, sonst kommen Sie nicht mehr in Ihr Konto.',
  passkeysAbsent: 'Unter dieser Adresse funktionieren Passkeys nicht.',
  passkeysNone: 'Sie haben noch keinen Passkey. Fügen Sie zuerst unter „Sicherheit“ einen hinzu.',
  passkeyFirst: 'Fügen Sie zuerst einen Passkey hinzu, sonst kommen Sie nicht mehr in Ihr Konto.',
  ownLogin: 'Das ist der Browser, den Sie gerade verwenden. Melden Sie sich über das Menü ab.',
  abilityMissing: 'Wählen Sie mindestens eine Berechtigung für das Token.',
  abilityUnknown: 'Diese Berechtigung gibt es nicht. Wählen Sie eine der angebotenen.',
  expiryUnknown: 'Wählen Sie, wie lange das Token gilt: 30 Tage, ein Jahr oder unbegrenzt.',
  tokensFull: `Sie haben ${limits.mostTokens} API-Tokens, mehr sind nicht möglich. Widerrufen Sie zuerst eins.`,
  languageUnknown: 'Wählen Sie eine der angebotenen Sprachen.',
  streams: `${beginningInWords(limits.mostStreams)} Seiten sind schon mit Ihrem Konto geöffnet, hier oder auf anderen Geräten. Schließen Sie eine davon.`,
}

export function tryAgainIn(seconds: number): string {
  return plural('de', seconds, {
    one: 'Zu viele Versuche. Versuchen Sie es in # Sekunde noch einmal.',
    other: 'Zu viele Versuche. Versuchen Sie es in # Sekunden noch einmal.',
  })
}
