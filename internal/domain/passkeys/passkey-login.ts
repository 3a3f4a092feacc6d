import { throttleAddress } from '../../base/network/address.ts'
import { credentialIdOf } from '../../base/webauthn/answer.ts'
import { judgeAnswer } from '../../base/webauthn/check-answer.ts'
import { requestOptions } from '../../base/webauthn/options.ts'
import { siteOf } from '../../base/webauthn/site.ts'
import { passkeys } from '#db/passkeys'
import { users } from '#db/users'
import { makeChallenge } from '../../services/challenges.ts'
import { clear, take } from '../../services/throttle.ts'
import { type Browser, type Login, makeLogin } from '../logins/make-login.ts'
import {
  type PasskeyAnswer,
  type PasskeyRefused,
  refusePasskey,
  takeAnswered,
} from './passkey-answer.ts'
import { usePasskey } from './use.ts'
import type { App } from '../../app.ts'

export type PasskeyLogin =
  | { result: 'wait'; seconds: number }
  /** `user`: the passkey's owner, if one was looked up. */
  | (PasskeyRefused & { user?: number })
  /** The answer has no fault, but no account has its passkey: the browser may forget it. In base64url. */
  | { result: 'unknown'; rpId: string; credentialId: string }
  | { result: 'right'; login: Login }

/** Returns the options for a browser to ask for any passkey of the site; undefined where none can work. */
export async function loginOptions(
  app: App,
): Promise<PublicKeyCredentialRequestOptionsJSON | undefined> {
  const site = siteOf(app.config.origin)
  if (!site) return undefined
  return requestOptions({
    rpId: site.rpId,
    challenge: await makeChallenge(app, 'passkey-login', ''),
  })
}

/**
 * Logs a browser in with a passkey, counting the try first. Asks for no code, since a passkey is two factors
 * by itself (spec: Passkeys).
 */
export async function logInWithPasskey(
  app: App,
  { remember, ...answer }: PasskeyAnswer & { remember: boolean },
  browser: Browser,
): Promise<PasskeyLogin> {
  const by = throttleAddress(browser.address)
  const seconds = await take(app, 'logins', by)
  if (seconds !== undefined) return { result: 'wait', seconds }
  const taken = await takeAnswered(app, 'passkey-login', answer)
  if (taken.result === 'refused') return taken
  const { site, challenge } = taken
  const { credential } = answer
  const owner = await ownerOf(app, credential)
  if (!owner) {
    const why = judgeAnswer(credential, { challenge, site })
    return why ? refusePasskey(why) : unknown(site.rpId, credential)
  }
  const { user, passkey } = owner
  const use = { user, passkey, credential, challenge, site, listed: false }
  const used = await usePasskey(app, use, async (tx, current) => {
    await clear(tx, 'logins', by)
    return makeLogin(app, tx, current, { browser, remember, tells: true, by: 'passkey' })
  })
  if (used.result !== 'right') return { ...used, user: user.id }
  return { result: 'right', login: used.outcome }
}

async function ownerOf(app: App, credential: unknown) {
  const id = credentialIdOf(credential)
  const passkey = id && (await passkeys.byCredentialId(app.db, id))
  const user = passkey && (await users.byId(app.db, passkey.userId))
  return user && { user, passkey }
}

function unknown(rpId: string, credential: unknown): PasskeyLogin {
  const credentialId = credentialIdOf(credential)?.toString('base64url') ?? ''
  return { result: 'unknown', rpId, credentialId }
}
