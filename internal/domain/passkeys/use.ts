import { checkAnswer } from '../../base/webauthn/check-answer.ts'
import { passkeys } from '#db/passkeys'
import { users } from '#db/users'
import { type PasskeyRefused, refusePasskey } from './passkey-answer.ts'
import type { App } from '../../app.ts'
import type { Site } from '../../base/webauthn/site.ts'
import type { Tx } from '../../db/db.ts'
import type { Passkey } from '../../db/passkeys.ts'
import type { User } from '../../db/users.ts'

interface PasskeyUse {
  readonly user: Pick<User, 'id' | 'passkeyHandle'>
  readonly passkey: Passkey
  readonly credential: unknown
  readonly challenge: string
  readonly site: Site
  /** Whether the user was known, and the browser was asked only for their passkeys. */
  readonly listed: boolean
}

/**
 * Checks a passkey's answer, and runs `work` with the current user in the transaction that records the use.
 * That transaction refuses one of two answers with the same count, and one whose passkey was removed
 * meanwhile.
 */
export async function usePasskey<Outcome>(
  app: App,
  { user, passkey, credential, challenge, site, listed }: PasskeyUse,
  work: (tx: Tx, user: User) => Promise<Outcome>,
): Promise<{ result: 'right'; outcome: Outcome } | PasskeyRefused> {
  const handle = user.passkeyHandle
  if (!handle) return refusePasskey('handle')
  const checked = await checkAnswer(credential, { challenge, site, passkey, handle, listed })
  if ('refused' in checked) return refusePasskey(checked.refused)
  return app.db.transaction(async (tx) => {
    const use = { id: passkey.id, ...checked.used, at: app.now() }
    const current = await users.hold(tx, user.id)
    const isUsed = await passkeys.use(tx, use)
    return current && isUsed
      ? { result: 'right', outcome: await work(tx, current) }
      : refusePasskey('count')
  })
}
