import { checkAnswer } from '../../base/webauthn/check-answer.ts'
import { passkeys } from '#db/passkeys'
import { users } from '#db/users'
import { type PasskeyRefused, refusePasskey } from './passkey-answer.ts'
import type { App } from '../../app.ts'
import type { Site } from '../../base/webauthn/site.ts'
import type { Tx } from '../../db/db.ts'
import type { Passkey } from '../../db/passkeys.ts'
import type { User } from '../../db/users.ts'

interface Use {
  readonly user: Pick<User, 'id' | 'passkeyHandle'>
  readonly passkey: Passkey
  readonly credential: unknown
  readonly challenge: string
  readonly site: Site
  /** Whether the user was known, and the browser was asked for their passkeys alone. */
  readonly listed: boolean
}

/**
 * Checks the answer of a passkey, and does `work` in the transaction that notes its use, with the user as they are now.
 * Of two answers with the same count one is refused there, and so is that of a passkey which was removed meanwhile.
 */
export async function usePasskey<Made>(
  app: App,
  { user, passkey, credential, challenge, site, listed }: Use,
  work: (tx: Tx, user: User) => Promise<Made>,
): Promise<{ result: 'right'; made: Made } | PasskeyRefused> {
  const handle = user.passkeyHandle
  if (!handle) return refusePasskey('handle')
  const checked = await checkAnswer(credential, { challenge, site, passkey, handle, listed })
  if ('refused' in checked) return refusePasskey(checked.refused)
  return app.db.transaction(async (tx) => {
    const use = { id: passkey.id, ...checked.used, at: app.now() }
    const current = await users.hold(tx, user.id)
    const isUsed = await passkeys.use(tx, use)
    return current && isUsed
      ? { result: 'right', made: await work(tx, current) }
      : refusePasskey('count')
  })
}
