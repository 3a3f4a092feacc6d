import { sha256 } from '../crypto/random.ts'
import type { AnswerFault } from './answer-fault.ts'
import type { Site } from './site.ts'

/** What an authenticator states about itself and the person (WebAuthn 6.1). */
interface AuthenticatorData {
  /** SHA-256 of the domain. */
  readonly domain: Buffer
  readonly isPresent: boolean
  readonly isVerified: boolean
  readonly backupEligible: boolean
  readonly backedUp: boolean
  readonly hasCredential: boolean
  readonly hasExtensions: boolean
  readonly signCount: number
  /** The credential and the extensions, when it has them. */
  readonly rest: Buffer
}

/** Parses authenticator data; returns undefined if it is too short. */
export function readAuthenticatorData(bytes: Buffer): AuthenticatorData | undefined {
  if (bytes.length < 37) return undefined
  const flags = bytes.readUInt8(32)
  return {
    domain: bytes.subarray(0, 32),
    isPresent: (flags & 0x01) !== 0,
    isVerified: (flags & 0x04) !== 0,
    backupEligible: (flags & 0x08) !== 0,
    backedUp: (flags & 0x10) !== 0,
    hasCredential: (flags & 0x40) !== 0,
    hasExtensions: (flags & 0x80) !== 0,
    signCount: bytes.readUInt32BE(33),
    rest: bytes.subarray(37),
  }
}

/**
 * Returns why this site refuses authenticator data, of either ceremony (WebAuthn 7.1 and 7.2), or undefined.
 */
export function judgeAuthenticatorData(
  data: AuthenticatorData,
  site: Site,
): AnswerFault | undefined {
  if (!data.domain.equals(sha256(site.rpId))) return 'domain'
  if (!data.isPresent) return 'presence'
  if (!data.isVerified) return 'verification'
  if (data.backedUp && !data.backupEligible) return 'backup'
  return undefined
}

/** Reads the credential at the start of `rest` (WebAuthn 6.5.1); returns undefined if it is truncated. */
export function readCredential(
  rest: Buffer,
): { aaguid: Buffer; id: Buffer; keyAndExtensions: Buffer } | undefined {
  if (rest.length < 18) return undefined
  const keyAt = 18 + rest.readUInt16BE(16)
  if (rest.length < keyAt) return undefined
  return {
    aaguid: rest.subarray(0, 16),
    id: rest.subarray(18, keyAt),
    keyAndExtensions: rest.subarray(keyAt),
  }
}
