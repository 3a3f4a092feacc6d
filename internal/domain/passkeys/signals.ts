import { siteOf } from '../../base/webauthn/site.ts'
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

function idsOf(app: App, { passkeyHandle }: User): { rpId: string; userId: string } | null {
  const site = siteOf(app.config.origin)
  if (!site || !passkeyHandle) return null
  return { rpId: site.rpId, userId: passkeyHandle.toString('base64url') }
}
