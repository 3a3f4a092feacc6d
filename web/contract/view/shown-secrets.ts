import type { Flash, PageProps } from '../pages.ts'

/** The secret of an authenticator app in groups of four letters, as they are read and typed. */
export function secretGroups(secret: string): readonly string[] {
  return secret.match(/.{1,4}/g) ?? []
}

/** The recovery codes while they are shown, just made or asked for, and how many are left. */
export function shownRecoveryCodes(
  { twoFactor, recoveryCodes }: Pick<PageProps<'Settings/Security'>, 'twoFactor' | 'recoveryCodes'>,
  flash: Flash,
): { readonly codes: readonly string[] | undefined; readonly left: number } {
  const codes = flash.recoveryCodes ?? recoveryCodes
  // Asked for, and none is there any more: they were used up meanwhile, or cannot be read.
  if (codes?.length === 0) return { codes: undefined, left: 0 }
  return { codes, left: twoFactor.codesLeft ?? 0 }
}

/** The token that was just made, no longer than it is good for something: its own row may be gone meanwhile. */
export function shownToken(
  tokens: PageProps<'Settings/Tokens'>['tokens'],
  flash: Flash,
): string | undefined {
  return tokens.some(({ id }) => id === flash.tokenId) ? flash.token : undefined
}
