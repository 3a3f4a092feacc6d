import { qrSvg } from '../../base/qr.ts'
import { otpauthLink } from '../../base/crypto/totp.ts'

/** What a person needs to set up an authenticator app, as the security page shows it (contract: Names). */
export interface SetUp {
  /** Base32. */
  readonly secret: string
  /** The `otpauth:` link. */
  readonly url: string
  /** The same link as SVG. */
  readonly qr: string
}

/** The set-up of a secret that was made for it. Nothing is kept: the session holds the secret until a code confirms it. */
export function setUpOf(secret: string, email: string): SetUp {
  const url = otpauthLink({ secret, email })
  return { secret, url, qr: qrSvg(url) }
}
