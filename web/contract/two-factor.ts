/** What pages tell of a user's recovery codes. */
export interface CodesState {
  /** How many are left; null while two-factor login is off. */
  readonly codesLeft: number | null
  /** Whether the user said that they are saved. */
  readonly codesSaved: boolean
}

export interface TwoFactor extends CodesState {
  readonly enabled: boolean
  readonly setup: null | TwoFactorSetup
}

/** Two-factor login that is being set up: its secret, and the link that an app takes it from. */
export interface TwoFactorSetup {
  readonly secret: string
  readonly url: string
  /** The link as a QR code, in SVG. */
  readonly qr: string
  /** The same as it is drawn into a page, where the policy allows no markup from text. */
  readonly qrCode: QrCode
}

/** What a QR code is drawn from: two paths in a square of `size` units, of the white paper and of the black bars. */
export interface QrCode {
  readonly size: number
  readonly paper: string
  readonly bars: string
}
