import { mostPasskeys } from '../../limits.ts'
import { inWords } from './numbers.ts'

/** Passkeys on the security page. */
export const passkeys = {
  heading: 'Passkeys',
  lead: 'A passkey logs you in with your finger, your face or the code of your device, without a password or a code. It cannot be guessed, and no false page can take it.',
  synced: 'Synced',
  notSynced: 'On one device only',
  made: (time: string) => `Added ${time}`,
  used: (time: string) => `Last used ${time}`,
  unused: 'Not used yet',
  rename: 'Rename',
  renameHeading: 'Rename the passkey',
  keepName: 'Keep its name',
  remove: (name: string) => `Remove ${name}?`,
  removeText: 'You can then no longer log in with it. Delete it on your device too.',
  keep: 'Keep it',
  onlyWay: 'This is your only way in. Add another passkey or a password before you remove it.',
  name: 'Name (may be left empty)',
  nameHint: 'Such as Work laptop. Without one it is named for this browser.',
  nameMissing: 'Enter a name of at least one letter.',
  full: `You have ${inWords(mostPasskeys)} passkeys, which is the most. Remove one to add another.`,
  unable: 'This browser cannot make a passkey as it is.',
} as const
