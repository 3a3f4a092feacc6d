import { random } from '../../base/random.ts'
import { checkCreation } from '../../base/webauthn/check-creation.ts'
import { creationOptions } from '../../base/webauthn/options.ts'
import { siteOf } from '../../base/webauthn/site.ts'
import { passkeys } from '#db/passkeys'
import { makeChallenge } from '../../services/challenges.ts'
import { appName } from '../../../web/contract/name.ts'
import { standing } from '../logins/find-user.ts'
import { notify } from '../notifications/notify.ts'
import { type Given, type Refused, refused, takeGiven } from './given.ts'
import { handleBytes, keepPasskey, mostPasskeys } from './keep.ts'
import { knownOf } from './known.ts'
import type { App } from '../../app.ts'
import type { User } from '../../db/users.ts'
import type { Login } from '../logins/log-in.ts'

export type AddOptions =
  | { result: 'options'; options: PublicKeyCredentialCreationOptionsJSON }
  /** There are no passkeys at this address. */
  | { result: 'absent' }
  | { result: 'full' }
  /** The account is gone. */
  | { result: 'ended' }

/** What a browser takes to make another passkey of the user, or the first, with which the handle is made. */
export async function addOptions(app: App, user: User): Promise<AddOptions> {
  const site = siteOf(app.config.origin)
  if (!site) return { result: 'absent' }
  const exclude = (await passkeys.ofUser(app.db, user.id)).map(knownOf)
  if (exclude.length >= mostPasskeys) return { result: 'full' }
  const handle = user.passkeyHandle ?? (await firstHandle(app, user.id))
  if (!handle) return { result: 'ended' }
  const challenge = await makeChallenge(app, 'passkey-add', String(user.id))
  const named = { handle, name: user.email, displayName: user.name }
  const { rpId } = site
  const options = creationOptions({ rpId, rpName: appName, user: named, challenge, exclude })
  return { result: 'options', options }
}

function firstHandle(app: App, userId: number): Promise<Buffer | undefined> {
  return passkeys.handle(app.db, { userId, handle: random(handleBytes) })
}

export type Addition =
  | Refused
  | { result: 'full' }
  | { result: 'taken' }
  /** The password was changed meanwhile, or the browser logged out: this login adds nothing any more. */
  | { result: 'ended' }
  | { result: 'added' }

/** Keeps a passkey that the user has made, under a name or that of the browser, and tells of it. */
export async function addPasskey(
  app: App,
  login: Login,
  given: Given,
  { name, userAgent }: { name: string; userAgent: string },
): Promise<Addition> {
  const taken = await takeGiven(app, 'passkey-add', given)
  if (taken.result === 'refused') return taken
  if (taken.value !== String(login.userId)) return refused('challenge')
  const checked = await checkCreation(given.credential, taken)
  if ('refused' in checked) return refused(checked.refused)
  return app.db.transaction(async (tx) => {
    const user = await standing(tx, app, login)
    if (!user) return { result: 'ended' }
    const kept = await keepPasskey(tx, app, user.id, { created: checked.created, name, userAgent })
    if (kept.result !== 'kept') return kept
    await notify(app, tx, user, { kind: 'passkey-added', data: { name: kept.passkey.name } })
    return { result: 'added' }
  })
}
