import type { Argon2id } from '../base/password/phc.ts'
import { standardHash } from '../base/password/password.ts'

/** As little as argon2id allows: real hashes of real passwords, where not what they cost is judged. */
export const cheapestHash: Argon2id = { ...standardHash, memory: 8, passes: 1 }
