/** The state of a user's recovery codes. */
export interface CodesState {
  /** How many are left; null while two-factor login is off. */
  readonly codesLeft: number | null
  /** Whether the user has said that they are saved. */
  readonly codesSaved: boolean
}

export interface TwoFactor extends CodesState {
  readonly enabled: boolean
  /** A mark of each recovery code that is left, by which a page knows whether those it shows still hold. */
  readonly codeMarks: readonly string[]
  readonly setup: null | TwoFactorSetup
}

/**
 * Two-factor login during setup: its secret, and the `otpauth:` link from which authenticator apps read it.
 */
export interface TwoFactorSetup {
  readonly secret: string
  readonly url: string
  /** The link as a QR code, in SVG. */
  readonly qr: string
  /** The same code as paths, from which pages draw it: Trusted Types forbid turning text into markup. */
  readonly qrCode: QrCode
}

/** A QR code as two paths in a square of `size` units: the white paper and the black bars. */
export interface QrCode {
  readonly size: number
  readonly paper: string
  readonly bars: string
}
