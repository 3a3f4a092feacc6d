import { challengeOf } from '../../base/webauthn/client-data.ts'
import { siteOf, type Site } from '../../base/webauthn/site.ts'
import { type ChallengeKind, takeChallenge } from '../../services/challenges.ts'
import type { App } from '../../app.ts'
import type { AnswerFault } from '../../base/webauthn/answer-fault.ts'

/** A browser's answer to a challenge, and the challenges issued to its session. */
export interface PasskeyAnswer {
  readonly credential: unknown
  readonly challenges: readonly string[]
}

export interface PasskeyRefused {
  readonly result: 'refused'
  /**
   * `over`: the challenge was already answered, or expired. `absent`: passkeys do not work at this address.
   */
  readonly why: AnswerFault | 'over' | 'absent'
}

/** A challenge that was taken: it is used up, whatever comes of the answer. */
interface TakenChallenge {
  readonly result: 'taken'
  readonly site: Site
  readonly challenge: string
  /** What was stored with it. */
  readonly value: string
}

/**
 * Takes the challenge that an answer names, if it was issued to this very session: another browser's answer
 * is refused, and leaves the challenge to the browser that asked for it.
 */
export async function takeAnswered(
  app: App,
  kind: ChallengeKind,
  { credential, challenges }: PasskeyAnswer,
): Promise<TakenChallenge | PasskeyRefused> {
  const site = siteOf(app.config.origin)
  if (!site) return refusePasskey('absent')
  const challenge = challengeOf(credential)
  if (challenge === undefined) return refusePasskey('malformed')
  if (!challenges.includes(challenge)) return refusePasskey('challenge')
  const value = await takeChallenge(app, kind, challenge)
  return value === undefined ? refusePasskey('over') : { result: 'taken', site, challenge, value }
}

export function refusePasskey(why: PasskeyRefused['why']): PasskeyRefused {
  return { result: 'refused', why }
}
