import { vary } from './page/protocol.ts'
import { throttleAddress } from '../base/network/address.ts'
import { take } from '../services/throttle.ts'
import { type Answer, json, Refusal } from './answer.ts'
import { action, type Handler } from './form/form.ts'
import { mostChallenges } from './session/session.ts'
import type { PasskeyAnswer, PasskeyRefused } from '../domain/passkeys/passkey-answer.ts'
import type { Fields } from './body/fields.ts'
import type { Context } from './context.ts'

type Options = PublicKeyCredentialCreationOptionsJSON | PublicKeyCredentialRequestOptionsJSON

/** The handler of a request for passkey options. Each request keeps a challenge in a row, so a throttle counts them. */
export function asking<C extends Context>(work: Handler<C>): Handler<C> {
  return action({}, async (c: C) => {
    const seconds = await take(c.app, 'passkey-options', throttleAddress(c.address))
    if (seconds === undefined) return work(c)
    throw new Refusal(429, { 'Retry-After': String(seconds) }, c.words.tryAgainIn(seconds))
  })
}

/** Answers with passkey options for the browser, and has its session keep their challenge. */
export function ask(c: Context, options: Options): Answer {
  const { challenges = [] } = c.session
  c.session = {
    ...c.session,
    challenges: [...challenges, options.challenge].slice(-mostChallenges),
  }
  return json(200, options, { Vary: vary })
}

/** What the form brought in its field `credential`, as JSON or as text of JSON, with the session's challenges. */
export function answerIn(c: Context): PasskeyAnswer {
  const sent = c.fields?.get('credential')
  return { credential: parsed(sent), challenges: c.session.challenges ?? [] }
}

/** Whether the form brought the answer of a passkey. */
export function hasAnswer(fields: Fields): boolean {
  return (fields.get('credential') ?? '') !== ''
}

/** What a person reads of a passkey that was refused. */
export function passkeyRefusal(c: Context, { why }: PasskeyRefused): string {
  if (why === 'over') return c.words.errors.passkeyOver
  return why === 'absent' ? c.words.errors.passkeysAbsent : c.words.errors.passkeyRefused
}

function parsed(sent: unknown): unknown {
  if (typeof sent !== 'string') return sent
  try {
    return JSON.parse(sent)
  } catch {
    // What cannot be read is no answer of a browser, and is refused as such.
    return undefined
  }
}
