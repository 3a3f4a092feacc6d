import { brandName } from '../../../../brand/brand.ts'
import { browserName } from '../format/browser-name.ts'
import type { noticeMails as en } from '../../en/mails/notice-mails.ts'
import type { NotificationData } from '../../../notification-lines.ts'

const security = 'Zu den Sicherheitseinstellungen'
const newPassword = 'Neues Passwort festlegen:'
const lockedOut = 'Ihr Passwort funktioniert nicht mehr? Legen Sie ein neues fest:'

/** The mail of each kind of notification; `about` continues the greeting after its comma. */
export const noticeMails: typeof en = {
  'password-changed': ({ keys }) => ({
    subject: 'Ihr Passwort wurde geändert',
    about: [
      `das Passwort Ihres Kontos bei ${brandName} wurde geändert. Alle anderen Browser wurden abgemeldet.`,
      ...keysText(keys),
    ],
    action: security,
    notYou:
      'Das waren nicht Sie? Dann hat jemand anderes Zugriff auf Ihr Konto. Legen Sie sofort ein neues Passwort fest: Damit melden Sie alle anderen ab. Entfernen Sie dann alle Passkeys und API-Tokens, die Sie nicht kennen.',
    reset: newPassword,
  }),

  'password-set': ({ keys }) => ({
    subject: 'Für Ihr Konto wurde ein Passwort festgelegt',
    about: [
      `Ihr Konto bei ${brandName} hatte bisher kein Passwort, jetzt hat es eins. Alle anderen Browser wurden abgemeldet.`,
      ...keysText(keys),
    ],
    action: security,
    notYou:
      'Das waren nicht Sie? Dann hat jemand anderes Zugriff auf Ihr Konto. Legen Sie sofort ein eigenes Passwort fest: Damit melden Sie alle anderen ab. Entfernen Sie dann alle Passkeys und API-Tokens, die Sie nicht kennen.',
    reset: newPassword,
  }),

  'password-removed': () => ({
    subject: 'Ihr Passwort wurde entfernt',
    about: [
      `Ihr Konto bei ${brandName} hat kein Passwort mehr: Sie melden sich jetzt mit Ihren Passkeys an. Alle anderen Browser wurden abgemeldet.`,
    ],
    action: security,
    notYou:
      'Das waren nicht Sie? Dann legen Sie sofort wieder ein Passwort fest und entfernen Sie alle Passkeys und API-Tokens, die Sie nicht kennen.',
    reset: 'Passwort festlegen:',
  }),

  'email-changed': ({ email }) => ({
    subject: 'Die E-Mail-Adresse Ihres Kontos wurde geändert',
    about: [
      `zu Ihrem Konto bei ${brandName} gehört jetzt eine andere E-Mail-Adresse. An die bisherige schicken wir keine weiteren E-Mails.`,
    ],
    facts: [['Neue Adresse', email, 'email']],
    action: 'Zu Ihrem Profil',
    // No link to set a new password: it would be mailed to the new email.
    notYou:
      'Das waren nicht Sie? Dann melden Sie sich sofort mit der neuen Adresse an, tragen Sie in Ihrem Profil wieder Ihre eigene ein und öffnen Sie den Link, den Sie daraufhin bekommen. Ändern Sie dann Ihr Passwort, falls Sie eins haben, und entfernen Sie alle Passkeys und API-Tokens, die Sie nicht kennen.',
  }),

  'two-factor-disabled': () => ({
    subject: 'Die Anmeldung in zwei Schritten wurde ausgeschaltet',
    about: [
      `um sich bei ${brandName} anzumelden, brauchen Sie keinen Code aus einer Authenticator-App mehr.`,
    ],
    action: security,
    notYou:
      'Das waren nicht Sie? Dann ändern Sie in den Sicherheitseinstellungen sofort Ihr Passwort, falls Sie eins haben, entfernen Sie alle Passkeys und API-Tokens, die Sie nicht kennen, und schalten Sie die Anmeldung in zwei Schritten wieder ein.',
    reset: lockedOut,
  }),

  'passkey-added': ({ name }) => ({
    subject: 'Ihrem Konto wurde ein Passkey hinzugefügt',
    about: [
      `wer diesen Passkey hat, kann sich damit ohne Passwort in Ihrem Konto bei ${brandName} anmelden.`,
    ],
    facts: [['Passkey', name, 'name']],
    action: security,
    notYou:
      'Das waren nicht Sie? Dann entfernen Sie den Passkey sofort in den Sicherheitseinstellungen und ändern Sie dort Ihr Passwort, falls Sie eins haben.',
    reset: lockedOut,
  }),

  'token-created': ({ name }) => ({
    subject: 'Für Ihr Konto wurde ein API-Token erstellt',
    about: [
      `wer dieses Token hat, kann bei ${brandName} in Ihrem Namen handeln, soweit es die Berechtigungen des Tokens erlauben.`,
    ],
    facts: [['Token', name, 'name']],
    action: 'Zu Ihren API-Tokens',
    notYou:
      'Das waren nicht Sie? Dann widerrufen Sie das Token dort sofort und ändern Sie in den Sicherheitseinstellungen Ihr Passwort, falls Sie eins haben: Ein neues Passwort allein macht ein Token nicht ungültig.',
    reset: lockedOut,
  }),

  'new-login': ({ address, by, ...names }) => ({
    subject: 'Neue Anmeldung in Ihrem Konto',
    about: [
      `in Ihrem Konto bei ${brandName} hat sich jemand mit einem Browser angemeldet, der dort in den letzten zwölf Monaten nicht verwendet wurde.`,
    ],
    facts: [
      ['Browser', browserName(names)],
      ['IP-Adresse', address],
    ],
    action: security,
    ...(by === 'passkey'
      ? {
          notYou:
            'Das waren nicht Sie? Dann hat jemand anderes einen Ihrer Passkeys. Entfernen Sie in den Sicherheitseinstellungen sofort alle, die Sie nicht kennen, und melden Sie dort alle anderen Browser ab.',
        }
      : {
          notYou:
            'Das waren nicht Sie? Dann kennt jemand anderes Ihr Passwort. Ändern Sie es sofort in den Sicherheitseinstellungen: Damit melden Sie alle anderen Browser ab. Entfernen Sie dann alle Passkeys und API-Tokens, die Sie nicht kennen.',
          reset: lockedOut,
        }),
  }),
}

/** Returns what became of the passkeys and API tokens, if it is known. */
function keysText(keys: NotificationData['password-set']['keys']): readonly string[] {
  if (keys === undefined) return []
  return keys === 'kept'
    ? ['Passkeys und API-Tokens des Kontos bleiben, wie sie sind.']
    : [
        'Passkeys und API-Tokens des Kontos wurden entfernt, weil sie von jemand anderem stammen könnten: Die E-Mail-Adresse war bisher nicht bestätigt. Erstellen Sie neue.',
      ]
}
