import { challengeOf } from '../../base/webauthn/client-data.ts'
import { siteOf, type Site } from '../../base/webauthn/site.ts'
import { type ChallengeKind, takeChallenge } from '../../services/challenges.ts'
import type { App } from '../../app.ts'
import type { AnswerFault } from '../../base/webauthn/answer-fault.ts'

/** What a browser sent in answer to a challenge, and the challenges that its session was given. */
export interface PasskeyAnswer {
  readonly credential: unknown
  readonly challenges: readonly string[]
}

export interface PasskeyRefused {
  readonly result: 'refused'
  /** `over`: the challenge was answered before, or has ended. `absent`: there are no passkeys at this address. */
  readonly why: AnswerFault | 'over' | 'absent'
}

/** A challenge that was taken: whatever comes of the answer, it is used up. */
interface TakenChallenge {
  readonly result: 'taken'
  readonly site: Site
  readonly challenge: string
  /** What was kept with it. */
  readonly value: string
}

/**
 * Takes the challenge that an answer names. Only one that this very session was given: the answer of another browser
 * is no good here, and leaves the challenge to the browser that asked for it.
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
