import { latestEnd, lifetimes } from '../base/lifetimes.ts'
import { random } from '../base/crypto/random.ts'
import { cache } from '#db/cache'
import type { App } from '../app.ts'
import type { Tx } from '../db/db.ts'

/**
 * The purpose of a challenge: an answer for another purpose is refused. For a known user, the value stored
 * with it is JSON with the user's ID as `userId`.
 */
export type ChallengeKind = 'passkey-register' | 'passkey-login' | 'passkey-confirm' | 'passkey-add'

/**
 * Makes a challenge of 32 random bytes, in base64url, and stores what its answer is to be checked against for
 * five minutes (spec: Limits). It is in a row, since a cookie could be replayed once it is used (security
 * rule 2). The key is the challenge itself, which every answer repeats.
 */
export async function makeChallenge(app: App, kind: ChallengeKind, value: string): Promise<string> {
  const challenge = random(32).toString('base64url')
  const endsAt = new Date(app.now().getTime() + lifetimes.passkeyChallenge)
  await cache.put(app.db.unsynced, { key: key(kind, challenge), value, endsAt })
  return challenge
}

/**
 * Returns the value of a challenge once, before it expires; undefined from then on, whether the answer is
 * right or wrong: nobody gets a second try.
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

/** Deletes a user's pending challenges. */
export async function dropChallenges(app: Pick<App, 'now'>, tx: Tx, userId: number): Promise<void> {
  for (const kind of ['passkey-confirm', 'passkey-add'] as const)
    await cache.deleteOfUser(tx, { start: key(kind, ''), userId, now: app.now() })
}

function key(kind: ChallengeKind, challenge: string): string {
  return `${kind}:${challenge}`
}
