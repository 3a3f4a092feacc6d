import { isolated } from '../../isolated.ts'
import { mostPasskeys } from '../../../limits.ts'
import { inWords } from '../format/numbers.ts'

/** Passkeys on the security page. */
export const passkeys = {
  heading: 'Passkeys',
  lead: 'A passkey logs you in with your fingerprint, your face or your device PIN, without a password or a code. It cannot be guessed, and no fake page can steal it.',
  none: 'No passkey yet',
  noneText: 'Add one on this device, and log in next time without typing anything.',
  synced: 'Synced',
  notSynced: 'On one device only',
  made: (time: string) => `Added ${time}`,
  used: (time: string) => `Last used ${time}`,
  unused: 'Not used yet',
  rename: 'Rename',
  renameHeading: 'Rename the passkey',
  keepName: 'Keep its name',
  remove: (name: string) => `Remove ${isolated(name)}?`,
  removeText: 'You can then no longer log in with it. Delete it on your device too.',
  keep: 'Keep it',
  onlyWay: 'This is your only way in. Add another passkey or a password before you remove it.',
  name: 'Name (optional)',
  nameHint: 'Such as “Work laptop”. Without one it is named after this browser.',
  full: `You have ${inWords(mostPasskeys)} passkeys, which is the most. Remove one to add another.`,
  unable: 'This browser cannot make a passkey right now.',
} as const
