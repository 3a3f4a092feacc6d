import { plural } from '../plural.ts'
import type { flashWords as en } from '../en/flash.ts'
import type { Translated } from '../translated.ts'
import { typedWords } from './client/typed.ts'

/** Flash messages about what was just done. */
export const flashWords: Translated<typeof en> = {
  loggedOut: 'Sie sind abgemeldet.',
  loginEnded: {
    noDraft: 'Sie wurden abgemeldet. Melden Sie sich an, um weiterzumachen.',
    draftKept:
      'Sie wurden abgemeldet. Melden Sie sich an, um weiterzumachen. Ihre Eingaben bleiben erhalten, sind aber noch nicht gespeichert.',
  },
  isLoggedIn:
    'Sie sind schon angemeldet. Um ein anderes Konto zu verwenden, melden Sie sich zuerst ab.',
  cookiesRefused:
    'Ihr Browser nimmt von dieser Website keine Cookies an, und ohne sie kann sich niemand anmelden. Erlauben Sie sie in den Einstellungen des Browsers und melden Sie sich dann an.',
  anotherIsLoggedIn:
    'Seit diese Seite geöffnet wurde, hat sich hier jemand anderes angemeldet. Es wurde nichts geändert.',
  confirmFirst: {
    noDraft:
      'Ihre letzte Bestätigung ist schon eine Weile her. Bestätigen Sie, dass Sie es sind, und versuchen Sie es dann noch einmal.',
    draftKept:
      'Ihre letzte Bestätigung ist schon eine Weile her. Bestätigen Sie, dass Sie es sind. Ihre Eingaben bleiben erhalten, sind aber noch nicht gespeichert.',
  },
  typedBefore: typedWords.before,
  verifyFirst: 'Diese Seite können Sie öffnen, sobald Ihre E-Mail-Adresse bestätigt ist.',
  resetSent:
    'Wenn es zu dieser E-Mail-Adresse ein Konto gibt, ist ein Link für ein neues Passwort unterwegs.',
  passwordSet: 'Ihr Passwort wurde festgelegt. Passkeys und API-Tokens bleiben, wie sie sind.',
  passwordSetKeysRemoved:
    'Ihr Passwort wurde festgelegt. Passkeys und API-Tokens des Kontos wurden entfernt, weil die E-Mail-Adresse bisher nicht bestätigt war.',
  linkSent: 'Ein neuer Link ist unterwegs.',
  linkExpired: 'Dieser Link ist abgelaufen. Lassen Sie sich einen neuen schicken.',
  linkExpiredLogIn:
    'Dieser Link ist abgelaufen. Melden Sie sich an und lassen Sie sich einen neuen schicken.',
  linkExpiredVerified: 'Dieser Link ist abgelaufen. Ihre E-Mail-Adresse ist aber schon bestätigt.',
  verified: 'Ihre E-Mail-Adresse ist bestätigt.',
  otherVerified:
    'Der Link hat die E-Mail-Adresse eines anderen Kontos bestätigt, nicht die dieses Kontos.',
  profileSaved: 'Ihr Profil wurde gespeichert.',
  emailChanged:
    'Ihr Profil wurde gespeichert. Öffnen Sie den Link, den wir an Ihre neue E-Mail-Adresse schicken.',
  photoSaved: 'Ihr Foto wurde gespeichert.',
  photoRemoved: 'Ihr Foto wurde entfernt.',
  accountDeleted: 'Ihr Konto wurde gelöscht.',
  passwordChanged:
    'Ihr Passwort wurde geändert. Alle anderen Browser sind abgemeldet. Passkeys und API-Tokens bleiben, wie sie sind.',
  passwordRemoved: 'Ihr Passwort wurde entfernt. Alle anderen Browser sind abgemeldet.',
  browserLoggedOut: 'Der Browser ist abgemeldet.',
  registrationSent:
    'Öffnen Sie den Link, den wir Ihnen geschickt haben, und erstellen Sie dort Ihren Passkey.',
  registrationOver: 'Dieser Link ist abgelaufen oder wurde verändert. Fordern Sie einen neuen an.',
  registerLoggedIn:
    'Sie sind schon angemeldet. Melden Sie sich zuerst ab, um mit diesem Link ein weiteres Konto anzulegen, sofern er noch nicht verwendet wurde.',
  resetLoggedIn:
    'Sie sind schon angemeldet. Melden Sie sich zuerst ab, um mit diesem Link ein Passwort festzulegen, sofern er noch nicht verwendet wurde.',
  askLoggedIn:
    'Sie sind schon angemeldet. Um einen Link für ein neues Passwort anzufordern, melden Sie sich zuerst ab.',
  registrationDone: 'Zu dieser E-Mail-Adresse gibt es schon ein Konto. Melden Sie sich an.',
  twoFactorOn:
    'Anmeldung in zwei Schritten eingeschaltet. Bewahren Sie die Codes getrennt vom Telefon auf.',
  twoFactorOff: 'Die Anmeldung in zwei Schritten ist ausgeschaltet.',
  setUpGivenUp: 'Die Anmeldung in zwei Schritten bleibt ausgeschaltet.',
  waitOver:
    'Die Eingabe des Codes hat zu lange gedauert, er wurde zweimal gesendet, oder Ihr Konto wurde inzwischen geändert. Melden Sie sich noch einmal an.',
  fewCodes: (left) =>
    left === 0
      ? 'Sie haben sich mit Ihrem letzten Wiederherstellungscode angemeldet. Erstellen Sie unter „Sicherheit“ neue.'
      : plural('de', left, {
          one: 'Sie sind angemeldet. Es ist nur noch ein Wiederherstellungscode übrig. Erstellen Sie unter „Sicherheit“ neue.',
          other:
            'Sie sind angemeldet. Es sind nur noch # Wiederherstellungscodes übrig. Erstellen Sie unter „Sicherheit“ neue.',
        }),
  recoveryCodesMade: 'Das sind Ihre neuen Wiederherstellungscodes. Die alten gelten nicht mehr.',
  recoveryCodesSaved: 'Ihre Wiederherstellungscodes sind gesichert.',
  recoveryCodesAreOld:
    'Diese Codes gelten nicht mehr, denn inzwischen wurden neue erstellt. Sichern Sie die neuen, die jetzt angezeigt werden.',
  passkeyAdded: 'Ihr Passkey wurde hinzugefügt.',
  passkeyRenamed: 'Ihr Passkey hat einen neuen Namen.',
  passkeyRemoved: 'Der Passkey wurde entfernt.',
  othersLoggedOut: 'Alle anderen Browser sind abgemeldet.',
  tokenMade:
    'Ihr Token wurde erstellt. Kopieren Sie es jetzt: Sobald Sie diese Seite verlassen, wird es nicht mehr angezeigt.',
  tokenRevoked: 'Das Token wurde widerrufen.',
}
