import type { passkeyFailures as en } from '../../en/client/passkey-failures.ts'
import type { Translated } from '../../translated.ts'

/** Messages about a passkey that was not made or used; loaded only with passkeys. */
export const passkeyFailures: Translated<typeof en> = {
  cancelled:
    'Es wurde kein Passkey verwendet oder erstellt: Der Vorgang wurde abgebrochen oder hat zu lange gedauert. Versuchen Sie es noch einmal.',
  there:
    'Auf diesem Gerät oder in diesem Passwortmanager gibt es schon einen Passkey für Ihr Konto.',
  elsewhere:
    'Unter dieser Adresse funktionieren Passkeys nicht. Öffnen Sie den Dienst unter seiner eigentlichen Adresse.',
  unable:
    'Dieses Gerät kann keinen passenden Passkey erstellen. Versuchen Sie es mit einem anderen Gerät oder einem Passwortmanager.',
  other:
    'Der Browser konnte keinen Passkey verwenden oder erstellen. Versuchen Sie es noch einmal oder auf einem anderen Weg.',
}
