import type { Flash, PageProps } from '../pages.ts'

/** The secret of an authenticator app in groups of four letters, as they are read and typed. */
export function secretGroups(secret: string): readonly string[] {
  return secret.match(/.{1,4}/g) ?? []
}

export interface ShownCodes {
  /** Undefined while they are not shown. */
  readonly codes: readonly string[] | undefined
  readonly left: number
  readonly areSaved: boolean
}

/** The recovery codes while they are shown, just made or asked for, how many are left, and whether they are saved. */
export function shownRecoveryCodes(
  { twoFactor, recoveryCodes }: Pick<PageProps<'Settings/Security'>, 'twoFactor' | 'recoveryCodes'>,
  flash: Flash,
): ShownCodes {
  const codes = flash.recoveryCodes ?? recoveryCodes
  // The codes were asked for, but there are none: they were used up meanwhile, or cannot be decrypted.
  if (codes?.length === 0) return { codes: undefined, left: 0, areSaved: false }
  return { codes, left: twoFactor.codesLeft ?? 0, areSaved: twoFactor.codesSaved }
}

/** The token that was just made; undefined once its row is gone, since it was revoked meanwhile. */
export function shownToken(
  tokens: PageProps<'Settings/Tokens'>['tokens'],
  flash: Flash,
): string | undefined {
  return tokens.some(({ id }) => id === flash.tokenId) ? flash.token : undefined
}
