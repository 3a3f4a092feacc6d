import type { Ability } from '../abilities.ts'
import type { TokenExpiry } from '../limits.ts'
import { languages } from '../languages.ts'
import { tokens } from '#words/tokens'

/** One of several that can be chosen in a form. */
export interface Choice {
  readonly value: string
  readonly label: string
  readonly hint?: string
  /** Of the label, where it is another than the page's. */
  readonly lang?: string
}

/** Each language by the name that it gives itself. */
export const languageChoices: readonly Choice[] = Object.entries(languages).map(
  ([lang, { name }]) => ({ value: lang, label: name, lang }),
)

/** What a token may be good for. */
export function abilityChoices(abilities: readonly Ability[]): readonly Choice[] {
  return abilities.map((one) => ({
    value: one,
    label: tokens.ability(one),
    hint: tokens.may(one),
  }))
}

/** How long a token may be good. */
export const expiryChoices: readonly Choice[] = Object.entries(tokens.expiries).map(
  ([value, label]) => ({ value, label }),
)

/** The one that is chosen unless another is. */
export const shortestExpiry: TokenExpiry = '30'
