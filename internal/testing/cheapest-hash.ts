import type { Argon2id } from '../base/password/phc.ts'
import { standardHash } from '../base/password/password.ts'

/**
 * The cheapest settings that argon2id allows: hashes are real, but cost nearly nothing, for tests that do not need
 * that.
 */
export const cheapestHash: Argon2id = { ...standardHash, memory: 8, passes: 1 }
