import { Secret, TOTP } from 'otpauth'
import { codeDigits } from '../../../web/contract/limits.ts'
import { brandName } from '../../../web/brand/brand.ts'

/** Makes the secret of a new authenticator app: 160 random bits in base32 (RFC 4226, 4; RFC 4648). */
export function newSecret(): string {
  return new Secret({ size: 20 }).base32
}

/**
 * Returns the time step, of 30 seconds since 1970, that a code is right for: the current one or one either
 * side (RFC 6238; spec: Two-factor); undefined if none. The database ensures that a step is used only once.
 */
export function stepOf(secret: string, code: string, now: Date): number | undefined {
  // The package throws on digits of other scripts.
  if (code.length !== codeDigits || /[^0-9]/.test(code)) return undefined
  const timestamp = now.getTime()
  const options = { token: code, secret: Secret.fromBase32(secret), timestamp, window: 1 }
  const delta = TOTP.validate(options)
  // 0 is the current step.
  return delta === null ? undefined : TOTP.counter({ timestamp }) + delta
}

/** Returns the link by which an authenticator app gets the secret (Google Authenticator: Key URI Format). */
export function otpauthLink({ secret, email }: { secret: string; email: string }): string {
  // A longer email, whose letters may take twelve characters each in a link, could exceed a QR code.
  const label = Array.from(email).slice(0, 128).join('')
  return new TOTP({ issuer: brandName, label, secret }).toString()
}
