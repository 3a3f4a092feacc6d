import { availableParallelism } from 'node:os'
import { onTestFinished } from 'vitest'
import type { TestApp } from './test-app.ts'

/** A hash with the usual cost that no known password matches. */
export const slowHash = `$argon2id$v=19$m=19456,t=2,p=1$${'c'.repeat(21)}Q$${'c'.repeat(43)}`

/** Returns an address as many times as its passwords may be hashed or wait at once. */
export function fullOf(address: string): string[] {
  return Array.from({ length: availableParallelism() + 4 }, () => address)
}

/** Keeps hashing a password for each of these addresses until the end of the test, or `stop`. */
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
