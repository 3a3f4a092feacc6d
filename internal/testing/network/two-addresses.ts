import dns, { type LookupAddress } from 'node:dns'
import { onTestFinished, vi } from 'vitest'

type Answer = (error: null, addresses: LookupAddress[]) => void

/** Returns a name that leads to two addresses of this machine until the end of the test. */
export function nameOfTwoAddresses(): string {
  const addresses = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }))
  const answer = (_name: string, _options: object, done: Answer) => done(null, addresses)
  const lookup = vi.spyOn(dns, 'lookup').mockImplementation(answer as typeof dns.lookup)
  onTestFinished(() => lookup.mockRestore())
  // No server of the DNS knows it, so that this machine is asked.
  return 'two.invalid'
}
