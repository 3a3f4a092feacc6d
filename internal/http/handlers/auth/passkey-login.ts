import { vary } from '../../page/protocol.ts'
import { paths } from '../../../../web/contract/paths.ts'
import { loginOptions, logInWithPasskey } from '../../../domain/passkeys/passkey-login.ts'
import { type Answer, json } from '../../answer.ts'
import { action } from '../../form/form.ts'
import { beginSession } from '../../session/begin-session.ts'
import { logLoginFailed } from '../../log/log-failure.ts'
import { sendOptions, optionsHandler, answerIn, passkeyRefusal } from '../../passkey-exchange.ts'
import { invalid, tooManyTries } from '../../form/failed-form.ts'
import { refuse } from '../../reply.ts'
import { passkeyAnswer } from '../../form/rules.ts'
import type { Context } from '../../context.ts'

/** Returns options for any passkey of the site, for the button and for autofill of the email field. */
export const passkeyLoginOptions = optionsHandler(async (c) => {
  const options = await loginOptions(c.app)
  return options ? sendOptions(c, options) : refuse(c, paths.login, c.words.errors.passkeysAbsent)
})

/** Logs in with a passkey; no code is asked for (spec: Login and logout). */
export const logInPasskey = action(
  { credential: [passkeyAnswer], remember: [] },
  async (c, { remember }) => {
    const answer = { ...answerIn(c), remember: remember === 'on' }
    const outcome = await logInWithPasskey(c.app, answer, c.browser)
    switch (outcome.result) {
      case 'wait':
        logLoginFailed(c, 'too many tries')
        return tooManyTries(c, 'credential', outcome.seconds)
      case 'refused':
        logLoginFailed(c, 'passkey refused', { refusal: outcome.why, user: outcome.user })
        return invalid(c, { credential: passkeyRefusal(c, outcome) })
      case 'unknown':
        logLoginFailed(c, 'unknown passkey')
        return refuseUnknown(c, outcome)
      case 'right':
        return beginSession(c, { login: outcome.login }, { how: 'passkey' })
    }
  },
)

/** Refuses an unknown passkey, and tells the browser, which may then stop offering it. */
function refuseUnknown(
  c: Context,
  { rpId, credentialId }: { rpId: string; credentialId: string },
): Answer {
  const errors = { credential: c.words.errors.passkeyUnknown }
  if (!c.wantsJson) return invalid(c, errors)
  const unknownCredential = { rpId, credentialId }
  const message = c.words.errors.invalid
  return json(422, { message, errors, unknownCredential }, { Vary: vary })
}
