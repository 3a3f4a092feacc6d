import { availableParallelism } from 'node:os'
import type { Log } from '../log.ts'
import { readPhc } from './phc.ts'
import type { Argon2id } from './phc.ts'
import { random } from '../crypto/random.ts'
import { makeHashQueue } from './hash-queue.ts'

/**
 * Hashes and checks passwords. Both throw HashesBusy if too many wait, in all or for the client's `address`.
 */
export interface Passwords {
  /** Returns an argon2id PHC string of the password, exactly as it was typed (spec: Passwords). */
  hashPassword(password: string, address: string): Promise<string>
  /**
   * Checks a password against a hash. The empty hash stands for no user, or an account without a password: it
   * is never right, and takes as long to check. `stale`: right, but made with settings other than ours.
   */
  checkPassword(hash: string, password: string, address: string): Promise<PasswordCheck>
}

interface PasswordCheck {
  readonly right: boolean
  readonly stale: boolean
}

/** The cost of a password hash (spec: Passwords). */
export const standardHash: Argon2id = {
  memory: 19456,
  passes: 2,
  lanes: 1,
  saltBytes: 16,
  hashBytes: 32,
}

/** Makes hashes with the settings `ours`, at most `cpus` at once. */
export async function makePasswords({
  log,
  ours = standardHash,
  cpus = availableParallelism(),
}: {
  log: Log
  ours?: Argon2id
  cpus?: number
}): Promise<Passwords> {
  // Imported late: the folders in which the add-on may be unpacked are not known earlier.
  const { hash, verify } = await import('@node-rs/argon2')
  const queue = makeHashQueue(cpus)
  const wrong = { right: false, stale: false }
  const decoy = decoyOf(ours)
  return {
    hashPassword: (password, address) => queue.run(address, () => hash(password, optionsOf(ours))),
    checkPassword: async (hash, password, address) => {
      const parameters = hash === '' ? undefined : readPhc(hash)
      if (parameters && 'fault' in parameters) {
        log.warn('a password hash matches no password', { reason: parameters.fault })
      }
      if (!parameters || 'fault' in parameters) {
        await queue.run(address, () => verify(decoy, password))
        return wrong
      }
      const right = await queue.run(address, () => verify(hash, password))
      return right ? { right, stale: !isSame(parameters.settings, ours) } : wrong
    },
  }
}

function optionsOf({ memory, passes, lanes, hashBytes }: Argon2id) {
  return { memoryCost: memory, timeCost: passes, parallelism: lanes, outputLen: hashBytes }
}

/** Returns a random hash that takes as long to check as one of ours, and that no known password matches. */
function decoyOf({ memory, passes, lanes, saltBytes, hashBytes }: Argon2id): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${lanes}$${base64(saltBytes)}$${base64(hashBytes)}`
}

function base64(bytes: number): string {
  return random(bytes).toString('base64').replace(/=+$/, '')
}

function isSame(one: Argon2id, other: Argon2id): boolean {
  return (
    one.memory === other.memory &&
    one.passes === other.passes &&
    one.lanes === other.lanes &&
    one.saltBytes === other.saltBytes &&
    one.hashBytes === other.hashBytes
  )
}
