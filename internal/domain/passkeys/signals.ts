import { isCredentialId, readCreation } from '../../base/webauthn/answer.ts'
import { siteOf } from '../../base/webauthn/site.ts'
import { passkeys } from '#db/passkeys'
import type { PasskeysSignal, UserSignal } from '../../../web/contract/signals.ts'
import type { App } from '../../app.ts'
import type { Passkey } from '../../db/passkeys.ts'
import type { User } from '../../db/users.ts'

/** Returns which passkeys browsers may keep; null if the user never had one or can have none here. */
export function passkeysSignal(
  app: App,
  user: User,
  keys: readonly Passkey[],
): PasskeysSignal | null {
  const ids = idsOf(app, user)
  if (!ids) return null
  const allAcceptedCredentialIds = keys.map(({ credentialId }) =>
    credentialId.toString('base64url'),
  )
  return { ...ids, allAcceptedCredentialIds }
}

/** Returns the user's current name and email, for browsers that keep a passkey under the old ones. */
export function userSignal(app: App, user: User): UserSignal | null {
  const ids = idsOf(app, user)
  return ids && { ...ids, name: user.email, displayName: user.name }
}

/** Returns the passkey that a browser has made with this answer, if no account has it. */
export async function unknownPasskey(
  app: App,
  answer: unknown,
): Promise<UnknownCredentialOptions | undefined> {
  const site = siteOf(app.config.origin)
  const id = readCreation(answer)?.id
  if (!site || !id) return undefined
  if (isCredentialId(id) && (await passkeys.byCredentialId(app.db, id))) return undefined
  return { rpId: site.rpId, credentialId: id.toString('base64url') }
}

function idsOf(app: App, { passkeyHandle }: User): { rpId: string; userId: string } | null {
  const site = siteOf(app.config.origin)
  if (!site || !passkeyHandle) return null
  return { rpId: site.rpId, userId: passkeyHandle.toString('base64url') }
}
