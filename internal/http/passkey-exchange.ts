import { fieldsToValidate, vary } from './page/protocol.ts'
import { throttleAddress } from '../base/network/address.ts'
import { unknownPasskey } from '../domain/passkeys/signals.ts'
import { take } from '../services/throttle.ts'
import { type Answer, json, Refusal } from './answer.ts'
import { action, type Handler } from './form/form.ts'
import { logFailedRead } from './log/log-database.ts'
import { mostChallenges } from './session/session.ts'
import type { PasskeyAnswer, PasskeyRefused } from '../domain/passkeys/passkey-answer.ts'
import type { Fields } from './body/fields.ts'
import type { Context } from './context.ts'

type Options = PublicKeyCredentialCreationOptionsJSON | PublicKeyCredentialRequestOptionsJSON

/** Wraps a handler that returns passkey options; throttled, as each request stores a challenge in a row. */
export function optionsHandler<C extends Context>(work: Handler<C>): Handler<C> {
  return action({}, async (c: C) => {
    const seconds = await take(c.app, 'passkey-options', throttleAddress(c.address))
    if (seconds === undefined) return work(c)
    throw new Refusal(429, { 'Retry-After': String(seconds) }, c.words.tryAgainIn(seconds))
  })
}

/** Answers with passkey options for the browser, and stores their challenge in its session. */
export function sendOptions(c: Context, options: Options): Answer {
  const { challenges = [] } = c.session
  c.session = {
    ...c.session,
    challenges: [...challenges, options.challenge].slice(-mostChallenges),
  }
  return json(200, options, { Vary: vary })
}

/** Returns the form's field `credential`, sent as JSON or a string of it, with the session's challenges. */
export function answerIn(c: Context): PasskeyAnswer {
  const credential = c.fields?.get('credential')
  return { credential: parsed(credential), challenges: c.session.challenges ?? [] }
}

/** Whether the form contains a passkey's answer. */
export function hasAnswer(fields: Fields): boolean {
  return (fields.get('credential') ?? '') !== ''
}

/**
 * Names a new passkey that no account has in the answer that refused it: the browser made it before it asked,
 * and may remove it then. If that cannot be looked up, the answer stays: it may be of a change that was made.
 */
export async function withUnknownPasskey(c: Context, answer: Answer): Promise<Answer> {
  if (!c.wantsJson || !c.fields?.has('credential') || fieldsToValidate(c)) return answer
  const unknownCredential = await unknownPasskey(c.app, answerIn(c).credential).catch(
    (error: unknown) => logFailedRead(c, error, 'the passkey could not be looked up'),
  )
  if (!unknownCredential || typeof answer.body !== 'string') return answer
  const value = JSON.parse(answer.body) as object
  return json(answer.status, { ...value, unknownCredential }, answer.headers)
}

/** Returns the message for a refused passkey. */
export function passkeyRefusal(c: Context, { why }: PasskeyRefused): string {
  if (why === 'over') return c.words.errors.passkeyOver
  return why === 'absent' ? c.words.errors.passkeysAbsent : c.words.errors.passkeyRefused
}

function parsed(sent: unknown): unknown {
  if (typeof sent !== 'string') return sent
  try {
    return JSON.parse(sent)
  } catch {
    // Invalid JSON does not come from a browser, and is refused as such.
    return undefined
  }
}
