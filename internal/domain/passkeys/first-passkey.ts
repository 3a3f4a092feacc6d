import { random } from '../../base/crypto/random.ts'
import { checkCreation, type CreatedPasskey } from '../../base/webauthn/check-creation.ts'
import { creationOptions } from '../../base/webauthn/options.ts'
import { siteOf } from '../../base/webauthn/site.ts'
import { passkeys } from '#db/passkeys'
import { makeChallenge } from '../../services/challenges.ts'
import { brandName } from '../../../web/brand/brand.ts'
import {
  type PasskeyAnswer,
  type PasskeyRefused,
  refusePasskey,
  takeAnswered,
} from './passkey-answer.ts'
import { handleBytes, keepPasskey } from './store-passkey.ts'
import type { App } from '../../app.ts'
import type { Browser } from '../logins/make-login.ts'
import type { Tx } from '../../db/db.ts'
import type { User } from '../../db/users.ts'

/** A passkey made for an account that does not exist yet. */
export interface FirstPasskey {
  readonly created: CreatedPasskey
  /** The ID by which the authenticator knows the user. */
  readonly handle: Buffer
}

/**
 * Returns the options with which a browser makes the passkey of a new account, with a new handle; undefined
 * where passkeys do not work. The session must keep `options.challenge` for the answer.
 */
export async function newRegistration(
  app: App,
  { name, email }: { name: string; email: string },
): Promise<PublicKeyCredentialCreationOptionsJSON | undefined> {
  const site = siteOf(app.config.origin)
  if (!site) return undefined
  const handle = random(handleBytes)
  const challenge = await makeChallenge(app, 'passkey-register', handle.toString('base64url'))
  const user = { handle, name: email, displayName: name }
  return creationOptions({ rpId: site.rpId, rpName: brandName, user, challenge, exclude: [] })
}

/** Checks a browser's answer to a `newRegistration`, and uses up its challenge. Stores nothing yet. */
export async function takeRegistration(
  app: App,
  answer: PasskeyAnswer,
): Promise<{ result: 'created'; passkey: FirstPasskey } | PasskeyRefused> {
  const taken = await takeAnswered(app, 'passkey-register', answer)
  if (taken.result === 'refused') return taken
  const checked = await checkCreation(answer.credential, taken)
  if ('refused' in checked) return refusePasskey(checked.refused)
  const handle = Buffer.from(taken.value, 'base64url')
  return { result: 'created', passkey: { created: checked.created, handle } }
}

/**
 * Stores the passkey of an account just made in the same transaction, named after the browser. Notifies
 * nobody. Returns false if some account has the credential already: then the account must not be made.
 */
export async function keepFirstPasskey(
  app: App,
  tx: Tx,
  { id }: Pick<User, 'id'>,
  { passkey, browser }: { passkey: FirstPasskey; browser: Browser },
): Promise<boolean> {
  await passkeys.handle(tx, { userId: id, handle: passkey.handle })
  const stored = await keepPasskey(app, tx, id, { created: passkey.created, name: '', browser })
  return stored.result === 'kept'
}
