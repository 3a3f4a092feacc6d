import { paths } from '../../../../web/contract/paths.ts'
import { newSecret } from '../../../base/crypto/totp.ts'
import { noteSaved, renewCodes } from '../../../domain/two-factor/codes.ts'
import { turnOff } from '../../../domain/two-factor/turn-off.ts'
import { turnOn } from '../../../domain/two-factor/turn-on.ts'
import { action } from '../../form/form.ts'
import { logAccount } from '../../log/log-account.ts'
import { invalid, isPlain } from '../../form/failed-form.ts'
import { loginEnded, redirect, refuse } from '../../reply.ts'
import { required } from '../../form/rules.ts'
import { withoutSetUp } from '../../session/session.ts'
import type { Answer } from '../../answer.ts'
import type { UserContext } from '../../context.ts'

/** Starts or restarts setting up an authenticator app; the security page shows how (spec: States). */
export const setUpTwoFactor = action({}, (c: UserContext) => {
  const { user } = c.visitor
  const security = paths['security.edit']
  if (user.twoFactorSecret !== null) return refuse(c, security, c.words.errors.twoFactorIsOn)
  c.session = { ...c.session, setup: newSecret() }
  return redirect(c, security)
})

const toConfirm = { code: [required], setup_token: [] }

/** Checks the app's code, and turns two-factor login on. The form may name the secret its page showed. */
export const confirmTwoFactor = action(toConfirm, async (c: UserContext, fields) => {
  const { setup: secret } = c.session
  const { login } = c.visitor
  const { code, setup_token: setupToken } = fields
  const security = paths['security.edit']
  if (secret === undefined) {
    // The form was sent twice, and the next page shows the answer to the first.
    if (isPlain(c) && c.session.flash?.recoveryCodes) return redirect(c, security)
    const isOn = c.visitor.user.twoFactorSecret !== null
    return refuse(c, security, c.words.errors[isOn ? 'twoFactorIsOn' : 'setUpOver'])
  }
  // The app has the secret that the form's page showed, but another is being set up: its codes never match.
  if (setupToken !== '' && setupToken !== secret)
    return invalid(c, { code: c.words.errors.setUpAnew })
  const turned = await turnOn(c.app, login, { secret, code })
  switch (turned.result) {
    case 'wrong':
      return invalid(c, { code: c.words.errors.wrongCode })
    case 'ended':
      return loginEnded(c)
    case 'already on':
      // The form was sent twice. Of two plain forms the browser drops the first answer: show the codes again.
      if (isPlain(c)) return showCodes(c, c.words.flash.twoFactorOn, turned.codes)
      c.keepsCookie = true
      return redirect(c, security)
    case 'on for another':
      c.session = withoutSetUp(c.session)
      return refuse(c, security, c.words.errors.twoFactorIsOn)
    case 'on':
      logAccount(c, 'two-factor turned on', login.userId)
      return showCodes(c, c.words.flash.twoFactorOn, turned.codes)
  }
})

/** Replaces the recovery codes with eight new ones, shown once. */
export const newRecoveryCodes = action({}, async (c: UserContext) => {
  const { login } = c.visitor
  const security = paths['security.edit']
  const renewed = await renewCodes(c.app, login)
  switch (renewed.result) {
    case 'ended':
      return loginEnded(c)
    case 'off':
      return refuse(c, security, c.words.errors.twoFactorIsOff)
    case 'made':
      logAccount(c, 'recovery codes made', login.userId)
      return showCodes(c, c.words.flash.recoveryCodesMade, renewed.codes)
  }
})

/** Records that the person has saved the recovery codes: those named in the form, if it names any. */
export const savedRecoveryCodes = action({ codes: [] }, async (c: UserContext, { codes }) => {
  const { login } = c.visitor
  const security = paths['security.edit']
  const outcome = await noteSaved(c.app, login, codes === '' ? undefined : codes.split(' '))
  switch (outcome.result) {
    case 'ended':
      return loginEnded(c)
    case 'off':
      return refuse(c, security, c.words.errors.twoFactorIsOff)
    case 'others':
      return redirect(c, security, {
        error: c.words.flash.recoveryCodesAreOld,
        recoveryCodes: outcome.codes,
      })
    case 'were saved':
      break
    case 'saved':
      logAccount(c, 'recovery codes saved', login.userId)
  }
  return redirect(c, security, { success: c.words.flash.recoveryCodesSaved })
})

/** Turns two-factor login off. A form with `setup` only cancels setting it up. */
export const turnOffTwoFactor = action({ setup: [] }, async (c: UserContext, { setup }) => {
  const { login } = c.visitor
  if (setup !== '') return giveUp(c)
  const { result } = await turnOff(c.app, login)
  if (result === 'ended') return loginEnded(c)
  if (result === 'off') logAccount(c, 'two-factor turned off', login.userId)
  c.session = withoutSetUp(c.session)
  return redirect(c, paths['security.edit'], { success: c.words.flash.twoFactorOff })
})

function showCodes(c: UserContext, success: string, recoveryCodes: readonly string[]): Answer {
  c.session = withoutSetUp(c.session)
  return redirect(c, paths['security.edit'], { success, recoveryCodes })
}

/** Cancels setting up. If another tab has turned two-factor login on meanwhile, it stays on. */
function giveUp(c: UserContext): Answer {
  c.session = withoutSetUp(c.session)
  const isOn = c.visitor.user.twoFactorSecret !== null
  return redirect(
    c,
    paths['security.edit'],
    isOn ? undefined : { success: c.words.flash.setUpGivenUp },
  )
}
