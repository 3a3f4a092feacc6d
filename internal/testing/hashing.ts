import { availableParallelism } from 'node:os'
import { onTestFinished } from 'vitest'
import type { TestApp } from './test-app.ts'

/** A hash with the usual cost that no known password matches. */
export const slowHash = `$argon2id$v=19$m=19456,t=2,p=1$${'c'.repeat(21)}Q$${'c'.repeat(43)}`

/** Returns an address as many times as its passwords may be hashed or wait at once. */
export function fullQueueOf(address: string): string[] {
  return Array.from({ length: availableParallelism() + 4 }, () => address)
}

/** Keeps hashing a password for each of these addresses until the end of the test, or `stop`. */
export function keepHashing(
  app: TestApp,
  addresses: readonly string[],
): { stop: () => Promise<void> } {
  let isRunning = true
  const hash = async (address: string): Promise<void> => {
    await app.passwords.checkPassword(slowHash, '', address)
    if (isRunning) await hash(address)
  }
  const hashing = Promise.all(addresses.map(hash))
  const stop = async () => {
    isRunning = false
    await hashing
  }
  onTestFinished(stop)
  return { stop }
}
