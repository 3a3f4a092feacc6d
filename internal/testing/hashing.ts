import { availableParallelism } from 'node:os'
import { onTestFinished } from 'vitest'
import type { TestApp } from './test-app.ts'

/** A hash that takes as long to check as those that are made, and that no known password made. */
export const slowHash = `$argon2id$v=19$m=19456,t=2,p=1$${'c'.repeat(21)}Q$${'c'.repeat(43)}`

/** As often as passwords of an address are hashed at once or wait for it, and no more. */
export function fullOf(address: string): string[] {
  return Array.from({ length: availableParallelism() + 4 }, () => address)
}

/** Has a password of each address hashed, again and again until the test is over, or `stop` is called. */
export function keepHashing(
  app: TestApp,
  addresses: readonly string[],
): { stop: () => Promise<void> } {
  let goesOn = true
  const hash = async (address: string): Promise<void> => {
    await app.passwords.checkPassword(slowHash, '', address)
    if (goesOn) await hash(address)
  }
  const all = Promise.all(addresses.map(hash))
  const stop = async () => {
    goesOn = false
    await all
  }
  onTestFinished(stop)
  return { stop }
}
