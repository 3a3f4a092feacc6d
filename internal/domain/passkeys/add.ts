import { mostPasskeys } from '../../../web/contract/limits.ts'
import { random } from '../../base/crypto/random.ts'
import { checkCreation } from '../../base/webauthn/check-creation.ts'
import { creationOptions } from '../../base/webauthn/options.ts'
import { siteOf } from '../../base/webauthn/site.ts'
import { passkeys } from '#db/passkeys'
import { makeChallenge } from '../../services/challenges.ts'
import { brandName } from '../../../web/brand/brand.ts'
import { asUser, type Ended } from '../logins/as-user.ts'
import { notify } from '../notifications/notify.ts'
import {
  type PasskeyAnswer,
  type PasskeyRefused,
  refusePasskey,
  takeAnswered,
} from './passkey-answer.ts'
import { handleBytes, keepPasskey } from './store-passkey.ts'
import { descriptorOf } from './descriptor.ts'
import type { App } from '../../app.ts'
import type { Browser, Login } from '../logins/make-login.ts'

export type AddOptions =
  | { result: 'options'; options: PublicKeyCredentialCreationOptionsJSON }
  /** Passkeys do not work at this address. */
  | { result: 'absent' }
  | { result: 'full' }
  | Ended

/** Returns the options for a browser to make another passkey. With the first, the user gets a handle. */
export async function addOptions(app: App, login: Login): Promise<AddOptions> {
  const site = siteOf(app.config.origin)
  if (!site) return { result: 'absent' }
  const prepared = await prepare(app, login)
  if (prepared.result !== 'prepared') return prepared
  const { user, exclude } = prepared
  const value = JSON.stringify({ userId: login.userId })
  const challenge = await makeChallenge(app, 'passkey-add', value)
  const { rpId } = site
  const options = creationOptions({ rpId, rpName: brandName, user, challenge, exclude })
  return { result: 'options', options }
}

/** Returns the user that the passkey is for, and the passkeys that the user has. */
function prepare(app: App, login: Login) {
  return asUser(app, login, async (tx, user) => {
    const { id: userId, email, name } = user
    const exclude = (await passkeys.ofUser(tx, userId)).map(descriptorOf)
    if (exclude.length >= mostPasskeys) return { result: 'full' } as const
    const first = user.passkeyHandle ? undefined : random(handleBytes)
    const handle =
      user.passkeyHandle ?? (first && (await passkeys.handle(tx, { userId, handle: first })))
    if (!handle) return { result: 'ended' } as const
    return {
      result: 'prepared',
      exclude,
      user: { handle, name: email, displayName: name },
    } as const
  })
}

export type Addition =
  | PasskeyRefused
  | { result: 'full' }
  | { result: 'taken' }
  | Ended
  | { result: 'added'; id: number }

/** Stores a passkey that the user made, under the name typed or else the browser's, and notifies the user. */
export async function addPasskey(
  app: App,
  login: Login,
  answer: PasskeyAnswer,
  { name, browser }: { name: string; browser: Browser },
): Promise<Addition> {
  const taken = await takeAnswered(app, 'passkey-add', answer)
  if (taken.result === 'refused') return taken
  const { userId } = JSON.parse(taken.value) as { userId?: number }
  if (userId !== login.userId) return refusePasskey('challenge')
  const checked = await checkCreation(answer.credential, taken)
  if ('refused' in checked) return refusePasskey(checked.refused)
  return asUser(app, login, async (tx, user) => {
    const stored = await keepPasskey(app, tx, user.id, { created: checked.created, name, browser })
    if (stored.result !== 'kept') return stored
    await notify(app, tx, user, { kind: 'passkey-added', data: { name: stored.passkey.name } })
    return { result: 'added', id: stored.passkey.id }
  })
}
