import type { Argon2id } from '../base/password/phc.ts'
import { standardHash } from '../base/password/password.ts'

/**
 * The cheapest settings that argon2id allows: hashes are real but cost almost nothing, for tests where the cost does
 * not matter.
 */
export const cheapestHash: Argon2id = { ...standardHash, memory: 8, passes: 1 }
