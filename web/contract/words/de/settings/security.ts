import type { security as en } from '../../en/settings/security.ts'
import type { Translated } from '../../translated.ts'

export const security: Translated<typeof en> = {
  heading: 'Sicherheit',
  missing: {
    nothing: 'Alles in Ordnung: Ihr Konto ist gut geschützt.',
    twoFactor:
      'Wer Ihr Passwort erfährt, kommt in Ihr Konto. Schalten Sie die Anmeldung in zwei Schritten ein.',
    codes: 'Sie haben kaum noch Wiederherstellungscodes oder keine mehr. Erstellen Sie neue.',
    saved:
      'Sichern Sie Ihre Wiederherstellungscodes: Ohne sie kommen Sie nicht mehr ins Konto, falls Sie Ihr Telefon verlieren.',
    secondWay:
      'Sie kommen nur mit einem einzigen Passkey in Ihr Konto. Fügen Sie einen zweiten oder ein Passwort hinzu.',
    passkey: 'Fügen Sie einen Passkey hinzu: Keine gefälschte Seite kann ihn stehlen.',
  },
  parts: {
    nav: 'Auf dieser Seite',
    passkeys: 'Passkeys',
    password: 'Passwort',
    set: 'Festgelegt',
    notSet: 'Keins',
    lastLogin: 'Letzte Anmeldung',
    browsers: 'Browser',
    loggedIn: (count, areMore) => (areMore ? `Mehr als ${count}` : `${count} angemeldet`),
    tokens: 'API-Tokens',
    count: (count) => (count === 0 ? 'Keine' : String(count)),
  },
  change: 'Passwort ändern',
  changeText: 'Alle anderen Browser werden abgemeldet, hier bleiben Sie angemeldet.',
  set: 'Passwort festlegen',
  setText:
    'Bisher melden Sie sich nur per Passkey an. Mit einem Passwort haben Sie eine zweite Möglichkeit.',
  removePassword: 'Passwort entfernen',
  removeText: 'Sie melden sich dann nur noch mit Ihren Passkeys an.',
  removeButton: 'Passwort entfernen',
  removeSure: 'Möchten Sie Ihr Passwort entfernen?',
  removeSureText:
    'Alle anderen Browser werden abgemeldet. Ein neues Passwort können Sie jederzeit festlegen.',
  removeKeep: 'Behalten',
  logins: 'Hier sind Sie angemeldet',
  loginsText:
    'Sie erkennen einen Browser nicht wieder? Melden Sie ihn ab, ändern Sie Ihr Passwort und entfernen Sie alle Passkeys, die Sie nicht kennen.',
  loginsTextNoPassword:
    'Sie erkennen einen Browser nicht wieder? Melden Sie ihn ab und entfernen Sie alle Passkeys, die Sie nicht kennen.',
  more: 'Es sind noch weitere Browser angemeldet. Mit „Alle anderen Browser abmelden“ melden Sie auch diese ab.',
  noOther: 'Kein anderer Browser ist angemeldet.',
  thisBrowser: 'Dieser Browser',
  of: (browser) => `(${browser})`,
  loggedIn: (time: string) => `Angemeldet: ${time}`,
  lastSeen: (time: string) => `Zuletzt aktiv: ${time}`,
}
