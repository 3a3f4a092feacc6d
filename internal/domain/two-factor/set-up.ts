import { qrCode, qrSvg } from '../../base/text/qr.ts'
import { otpauthLink } from '../../base/crypto/totp.ts'
import type { TwoFactorSetup } from '../../../web/contract/two-factor.ts'

/**
 * Returns what the security page shows of a new secret (contract: Names). Stores nothing: the session holds
 * the secret until a code confirms it.
 */
export function setUpOf(secret: string, email: string): TwoFactorSetup {
  const url = otpauthLink({ secret, email })
  const code = qrCode(url)
  return { secret, url, qr: qrSvg(code), qrCode: code }
}
