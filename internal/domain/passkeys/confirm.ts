import { credentialIdOf } from '../../base/webauthn/answer.ts'
import { requestOptions } from '../../base/webauthn/options.ts'
import { siteOf } from '../../base/webauthn/site.ts'
import { passkeys } from '#db/passkeys'
import { makeChallenge } from '../../services/challenges.ts'
import { type Ended } from '../logins/as-user.ts'
import { findVisit } from '../logins/check-login.ts'
import {
  type PasskeyAnswer,
  type PasskeyRefused,
  refusePasskey,
  takeAnswered,
} from './passkey-answer.ts'
import { descriptorOf } from './descriptor.ts'
import { usePasskey } from './use.ts'
import type { App } from '../../app.ts'
import type { Tx } from '../../db/db.ts'
import type { User } from '../../db/users.ts'
import type { Login } from '../logins/make-login.ts'

/** What is stored with a challenge: its user's ID, and the base64url IDs of the passkeys that may answer. */
interface ChallengeValue {
  readonly userId: number
  readonly ids: readonly string[]
}

export type ConfirmOptions =
  | { result: 'options'; options: PublicKeyCredentialRequestOptionsJSON }
  /** Passkeys do not work at this address. */
  | { result: 'absent' }
  /** The user has no passkeys. */
  | { result: 'none' }

/** Returns the options with which a browser asks for one of the user's own passkeys (spec: Passkeys). */
export async function confirmOptions(app: App, { id }: User): Promise<ConfirmOptions> {
  const site = siteOf(app.config.origin)
  if (!site) return { result: 'absent' }
  const allow = (await passkeys.ofUser(app.db, id)).map(descriptorOf)
  if (allow.length === 0) return { result: 'none' }
  const ids = allow.map(({ credentialId }) => credentialId.toString('base64url'))
  const value: ChallengeValue = { userId: id, ids }
  const challenge = await makeChallenge(app, 'passkey-confirm', JSON.stringify(value))
  return { result: 'options', options: requestOptions({ rpId: site.rpId, challenge, allow }) }
}

/** Confirms who is there by a requested passkey, and runs `work` in the transaction that records its use. */
export async function confirmPasskey(
  app: App,
  login: Login,
  answer: PasskeyAnswer,
  work: (tx: Tx) => Promise<void>,
): Promise<{ result: 'right' } | Ended | PasskeyRefused> {
  const taken = await takeAnswered(app, 'passkey-confirm', answer)
  if (taken.result === 'refused') return taken
  const { userId, ids } = JSON.parse(taken.value) as ChallengeValue
  const id = credentialIdOf(answer.credential)
  if (userId !== login.userId || !id || !ids.includes(id.toString('base64url')))
    return refusePasskey('credential')
  const user = await findVisit(app.db, app, login)
  if (!user) return { result: 'ended' }
  const passkey = await passkeys.byCredentialId(app.db, id)
  if (passkey?.userId !== user.id) return refusePasskey('credential')
  const { challenge, site } = taken
  const { credential } = answer
  const use = { user, passkey, credential, challenge, site, listed: true }
  const used = await usePasskey(app, use, async (tx) => {
    // The answer is used up, even if the login has ended meanwhile.
    if (!(await findVisit(tx, app, login))) return { result: 'ended' } as const
    await work(tx)
    return { result: 'right' } as const
  })
  return used.result === 'right' ? used.outcome : used
}
