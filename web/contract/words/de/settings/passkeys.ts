import { isolated } from '../../isolated.ts'
import { mostPasskeys } from '../../../limits.ts'
import { inWords } from '../format/numbers.ts'
import type { passkeys as en } from '../../en/settings/passkeys.ts'
import type { Translated } from '../../translated.ts'

/** Passkeys on the security page. */
export const passkeys: Translated<typeof en> = {
  heading: 'Passkeys',
  lead: 'Mit einem Passkey melden Sie sich per Fingerabdruck, Gesicht oder Gerätecode an, ganz ohne Passwort und Code. Niemand kann ihn erraten, und keine gefälschte Seite kann ihn stehlen.',
  none: 'Noch kein Passkey',
  noneText:
    'Fügen Sie auf diesem Gerät einen hinzu, dann melden Sie sich beim nächsten Mal an, ohne etwas einzutippen.',
  synced: 'Synchronisiert',
  notSynced: 'Nur auf einem Gerät',
  made: (time: string) => `Hinzugefügt: ${time}`,
  used: (time: string) => `Zuletzt verwendet: ${time}`,
  unused: 'Noch nicht verwendet',
  rename: 'Umbenennen',
  renameHeading: 'Passkey umbenennen',
  keepName: 'Namen behalten',
  // The name comes last: a long one cuts off what follows.
  remove: (name) => `Passkey entfernen: ${isolated(name)}?`,
  removeText:
    'Danach können Sie sich damit nicht mehr anmelden. Löschen Sie ihn auch auf Ihrem Gerät.',
  keep: 'Behalten',
  onlyWay:
    'Nur mit diesem Passkey kommen Sie in Ihr Konto. Fügen Sie einen weiteren oder ein Passwort hinzu, bevor Sie ihn entfernen.',
  name: 'Name (freiwillig)',
  nameHint: 'Zum Beispiel „Arbeitslaptop“. Ohne Angabe heißt er wie dieser Browser.',
  full: `Sie haben ${inWords(mostPasskeys)} Passkeys, mehr sind nicht möglich. Entfernen Sie einen, um einen neuen hinzuzufügen.`,
  unable: 'Dieser Browser kann derzeit keinen Passkey erstellen.',
}
