import { fewCodes } from '../../../../web/contract/limits.ts'
import { finishLogin, whoWaits } from '../../../domain/two-factor/code-login.ts'
import { adviceOnKeys } from '../../../domain/two-factor/sealed.ts'
import { textOf } from '../../body/fields.ts'
import { action, type Handler, type Rule } from '../../form/form.ts'
import { beginSession } from '../../session/begin-session.ts'
import { logLoginFailed } from '../../log/log-failure.ts'
import { page } from '../../page/page.ts'
import { invalid, tooManyTries } from '../../form/failed-form.ts'
import { loginEnded } from '../../reply.ts'
import type { Context } from '../../context.ts'
import type { Flash } from '../../../../web/contract/pages.ts'

/** Asks for the waiting login's code (spec: Two-factor challenge); the login page says if it has ended. */
export const showChallenge: Handler = async (c) => {
  const { waiting = '' } = c.session
  const user = await whoWaits(c.app, waiting)
  return user ? page(c, 'Auth/TwoFactorChallenge', {}) : loginEnded(c)
}

/** By field: the log's name for the code, its reason for a wrong one, and the name of the error message. */
// oxfmt-ignore
const codeFields = {
  code:          { how: 'code',          wrong: 'wrong code',          sentence: 'wrongCode' },
  recovery_code: { how: 'recovery code', wrong: 'wrong recovery code', sentence: 'wrongRecoveryCode' },
} as const

/** Checks a code of the authenticator app, or else a recovery code. */
export const answerChallenge = action(
  { code: [filled('code')], recovery_code: [filled('recovery_code')] },
  async (c, { code, recovery_code: recoveryCode }) => {
    const { waiting = '' } = c.session
    const field = code === '' ? 'recovery_code' : 'code'
    const { how, wrong, sentence } = codeFields[field]
    const submitted = code === '' ? { recoveryCode } : { code }
    const outcome = await finishLogin(c.app, { waiting, submitted, browser: c.browser })
    switch (outcome.result) {
      case 'over':
        return loginEnded(c)
      case 'wait':
        logLoginFailed(c, 'too many tries', outcome)
        return tooManyTries(c, field, outcome.seconds)
      case 'wrong':
        logLoginFailed(c, wrong, outcome)
        return invalid(c, { [field]: c.words.errors[sentence] })
      case 'lost':
        c.log.error('two-factor values that no key opens', {
          user: outcome.user,
          advice: adviceOnKeys,
        })
        return invalid(c, { [field]: c.words.errors.codesLost })
      case 'right':
        return beginSession(c, outcome, { how, flash: whenFew(c, outcome.codesLeft) })
    }
  },
)

/** Requires one of the two fields. If both are empty, the error goes to the first that the form has. */
function filled(field: 'code' | 'recovery_code'): Rule {
  return (_, { c, fields }) => {
    if (textOf(fields, 'code') !== '' || textOf(fields, 'recovery_code') !== '') return undefined
    const first = fields.has('recovery_code') && !fields.has('code') ? 'recovery_code' : 'code'
    return field === first ? c.words.errors.codeMissing : undefined
  }
}

function whenFew(c: Context, remaining: number | undefined): Flash | undefined {
  return remaining === undefined || remaining > fewCodes
    ? undefined
    : { success: c.words.flash.fewCodes(remaining) }
}
