import { randomId } from '../base/crypto/random.ts'
import type { Browser } from '../domain/logins/make-login.ts'

/** The facts of a browser, as a request has them. */
export function browserFacts(told: Partial<Browser> = {}): Browser {
  return { id: randomId(), userAgent: 'Firefox', address: '192.0.2.1', language: 'en', ...told }
}
