import type { Flash, PageProps } from '../pages.ts'

/** Splits the secret of an authenticator app into groups of four letters, for reading and typing. */
export function secretGroups(secret: string): readonly string[] {
  return secret.match(/.{1,4}/g) ?? []
}

export interface ShownCodes {
  /** Undefined while they are not shown. */
  readonly codes: readonly string[] | undefined
  readonly left: number
  readonly areSaved: boolean
}

/** Returns the recovery codes if just made or requested, how many are left, and whether they are saved. */
export function shownRecoveryCodes(
  { twoFactor, recoveryCodes }: Pick<PageProps<'Settings/Security'>, 'twoFactor' | 'recoveryCodes'>,
  flash: Flash,
): ShownCodes {
  const codes = flash.recoveryCodes ?? recoveryCodes
  // The codes were requested, but there are none: they were used up meanwhile, or cannot be decrypted.
  if (codes?.length === 0) return { codes: undefined, left: 0, areSaved: false }
  return { codes, left: twoFactor.codesLeft ?? 0, areSaved: twoFactor.codesSaved }
}

/** Returns the token that was just made; undefined if it was revoked meanwhile. */
export function shownToken(
  tokens: PageProps<'Settings/Tokens'>['tokens'],
  flash: Flash,
): string | undefined {
  return tokens.some(({ id }) => id === flash.tokenId) ? flash.token : undefined
}
