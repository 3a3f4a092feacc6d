import { latestEnd, lifetimes } from '../base/lifetimes.ts'
import { random } from '../base/crypto/random.ts'
import { cache } from '#db/cache'
import type { App } from '../app.ts'
import type { Tx } from '../db/db.ts'

/**
 * What a challenge is for: an answer for another purpose is refused. What is kept with the challenge of a known user is
 * JSON, with the user's ID as `userId`.
 */
export type ChallengeKind = 'passkey-register' | 'passkey-login' | 'passkey-confirm' | 'passkey-add'

/**
 * Makes a challenge of 32 random bytes, in base64url, and keeps with it what its answer is to be checked against, for
 * five minutes (spec: Limits). It is kept in a row, since a cookie that held it could be sent again once it is used
 * (security rule 2). The row is found by the challenge itself, which every answer repeats.
 */
export async function makeChallenge(app: App, kind: ChallengeKind, value: string): Promise<string> {
  const challenge = random(32).toString('base64url')
  const endsAt = new Date(app.now().getTime() + lifetimes.passkeyChallenge)
  await cache.put(app.db.unsynced, { key: key(kind, challenge), value, endsAt })
  return challenge
}

/**
 * What was kept with a challenge, the first time it is asked for and before it has ended; undefined from then on,
 * whether the answer to it is right or wrong: nobody tries twice.
 */
export function takeChallenge(
  app: App,
  kind: ChallengeKind,
  challenge: string,
): Promise<string | undefined> {
  const now = app.now()
  const latest = latestEnd(lifetimes.passkeyChallenge, now)
  return cache.take(app.db, { key: key(kind, challenge), now, latest })
}

/** Deletes the challenges that a user is to answer. */
export async function dropChallenges(app: Pick<App, 'now'>, tx: Tx, userId: number): Promise<void> {
  for (const kind of ['passkey-confirm', 'passkey-add'] as const)
    await cache.deleteOfUser(tx, { start: key(kind, ''), userId, now: app.now() })
}

function key(kind: ChallengeKind, challenge: string): string {
  return `${kind}:${challenge}`
}
