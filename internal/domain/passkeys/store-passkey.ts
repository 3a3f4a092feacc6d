import { mostPasskeys } from '../../../web/contract/limits.ts'
import { serverWords } from '../../../web/contract/words/server-words.ts'
import { browserOf } from '../../base/network/browser.ts'
import { passkeys } from '#db/passkeys'
import type { App } from '../../app.ts'
import type { Browser } from '../logins/make-login.ts'
import type { CreatedPasskey } from '../../base/webauthn/check-creation.ts'
import type { Tx } from '../../db/db.ts'
import type { Passkey } from '../../db/passkeys.ts'

/** The length of a user handle, in bytes (WebAuthn 4, user handle). */
export const handleBytes = 64

export type StoreOutcome =
  | { result: 'kept'; passkey: Passkey }
  | { result: 'full' }
  /** Some account has the credential already, this one or another. */
  | { result: 'taken' }

/** Stores a checked passkey. Without a name, it is named after the browser it was made in. */
export async function keepPasskey(
  app: App,
  tx: Tx,
  userId: number,
  { created, name, browser }: { created: CreatedPasskey; name: string; browser: Browser },
): Promise<StoreOutcome> {
  const passkey = await passkeys.insert(tx, {
    ...created,
    userId,
    name:
      name === '' ? serverWords[browser.language].browserName(browserOf(browser.userAgent)) : name,
    transports: JSON.stringify(created.transports),
    at: app.now(),
    most: mostPasskeys,
  })
  if (passkey) return { result: 'kept', passkey }
  const existing = await passkeys.byCredentialId(tx, created.credentialId)
  return { result: existing ? 'taken' : 'full' }
}
