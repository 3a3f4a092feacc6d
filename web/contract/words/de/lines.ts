import type { Lines, NotificationData } from '../../notification-lines.ts'

const removed = ', Passkeys und API-Tokens wurden entfernt'

// oxfmt-ignore
export const lines: Lines = {
  'password-changed':    ({ keys }) => `Ihr Passwort wurde geändert${keys === 'removed' ? removed : ''}`,
  'password-set':        ({ keys }) => `Für Ihr Konto wurde ein Passwort festgelegt${keys === 'removed' ? removed : ''}`,
  'password-removed':    () => 'Ihr Passwort wurde entfernt',
  'email-changed':       ({ email }) => `Die E-Mail-Adresse Ihres Kontos wurde in ${email} geändert`,
  'two-factor-disabled': () => 'Die Anmeldung in zwei Schritten wurde ausgeschaltet',
  'passkey-added':       ({ name }) => `Ihrem Konto wurde ein Passkey hinzugefügt: ${name}`,
  'token-created':       ({ name }) => `Für Ihr Konto wurde ein API-Token erstellt: ${name}`,
  'new-login':           (names) => `Eine neue Anmeldung, von ${from(names)}`,
  unknown:               () => 'In Ihrem Konto hat sich etwas geändert, wofür dieser Version die Worte fehlen',
}

function from({ browser, system }: NotificationData['new-login']): string {
  const name = browser ?? 'einem Browser'
  return system === null ? name : `${name} unter ${system}`
}
