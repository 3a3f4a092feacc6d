import { isolated } from '../isolated.ts'
import type { Lines, NotificationData } from '../../notification-lines.ts'

// oxfmt-ignore
export const lines: Lines = {
  'password-changed':    ({ keys }) => keys === 'removed'
    ? 'Ihr Passwort wurde geändert, Ihre Passkeys und API-Tokens wurden entfernt'
    : 'Ihr Passwort wurde geändert',
  'password-set':        ({ keys }) => keys === 'removed'
    ? 'Für Ihr Konto wurde ein Passwort festgelegt, Ihre Passkeys und API-Tokens wurden entfernt'
    : 'Für Ihr Konto wurde ein Passwort festgelegt',
  'password-removed':    () => 'Ihr Passwort wurde entfernt',
  'email-changed':       ({ email }) => `Die E-Mail-Adresse Ihres Kontos wurde geändert: ${isolated(email)}`,
  'two-factor-disabled': () => 'Die Anmeldung in zwei Schritten wurde ausgeschaltet',
  'passkey-added':       ({ name }) => `Ihrem Konto wurde ein Passkey hinzugefügt: ${isolated(name)}`,
  'token-created':       ({ name }) => `Für Ihr Konto wurde ein API-Token erstellt: ${isolated(name)}`,
  'new-login':           (names) => `Neue Anmeldung mit ${withBrowser(names)}`,
  unknown:               () => 'In Ihrem Konto hat sich etwas geändert, das diese Version noch nicht benennen kann',
}

function withBrowser({ browser, system }: NotificationData['new-login']): string {
  const name = browser ?? 'einem unbekannten Browser'
  return system === null ? name : `${name} unter ${system}`
}
