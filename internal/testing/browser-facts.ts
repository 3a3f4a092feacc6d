import { randomId } from '../base/crypto/random.ts'
import type { Browser } from '../domain/logins/make-login.ts'

/** Returns the facts about a browser that a request carries. */
export function browserFacts(overrides: Partial<Browser> = {}): Browser {
  return {
    id: randomId(),
    userAgent: 'Firefox',
    address: '192.0.2.1',
    language: 'en',
    ...overrides,
  }
}
