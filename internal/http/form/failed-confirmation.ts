import { invalid, tooManyTries } from './failed-form.ts'
import { logConfirmationFailed } from '../log/log-failure.ts'
import { passkeyRefusal } from '../passkey-exchange.ts'
import type { PasskeyRefused } from '../../domain/passkeys/passkey-answer.ts'
import type { Answer } from '../answer.ts'
import type { UserContext } from '../context.ts'

type NotConfirmed = { result: 'wait'; seconds: number } | { result: 'wrong' } | PasskeyRefused

/** Sends a form back, and logs it: the password or passkey in this field did not confirm who the user is. */
export function notConfirmed(c: UserContext, field: string, outcome: NotConfirmed): Answer {
  switch (outcome.result) {
    case 'wait':
      logConfirmationFailed(c, 'too many tries')
      return tooManyTries(c, field, outcome.seconds)
    case 'wrong':
      logConfirmationFailed(c, 'wrong password')
      return invalid(c, { [field]: c.words.errors.wrongPassword })
    case 'refused':
      logConfirmationFailed(c, 'passkey refused', outcome.why)
      return invalid(c, { [field]: passkeyRefusal(c, outcome) })
  }
}
