import { latestEnd, lifetimes } from '../base/lifetimes.ts'
import { random } from '../base/crypto/random.ts'
import { cache } from '#db/cache'
import type { App } from '../app.ts'
import type { Tx } from '../db/db.ts'

/**
 * What a challenge is for. One that was made for a purpose is no good for another. What is kept with one that a user is
 * to answer is JSON, and has their ID in `userId`.
 */
export type ChallengeKind = 'passkey-register' | 'passkey-login' | 'passkey-confirm' | 'passkey-add'

/**
 * Makes a challenge of 32 random bytes, in base64url, and keeps with it what its answer is to be checked against, for
 * five minutes (spec: Limits). A row, since a cookie that held it could be sent again once it is used (security
 * rule 2). It goes by its own text: an answer tells which one it answers.
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

/** Takes those that a user is to answer. */
export async function dropChallenges(app: Pick<App, 'now'>, tx: Tx, userId: number): Promise<void> {
  for (const kind of ['passkey-confirm', 'passkey-add'] as const)
    await cache.deleteOfUser(tx, { start: key(kind, ''), userId, now: app.now() })
}

function key(kind: ChallengeKind, challenge: string): string {
  return `${kind}:${challenge}`
}
