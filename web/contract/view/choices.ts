import type { Ability } from '../abilities.ts'
import type { TokenExpiry } from '../limits.ts'
import { languages } from '../languages.ts'
import { tokens } from '#words/tokens'

/** A choice in a form: one of several radios or checkboxes. */
export interface Choice {
  readonly value: string
  readonly label: string
  readonly hint?: string
  /** The language of the label, where it is not the page's. */
  readonly lang?: string
}

/** Each language by the name that it gives itself. */
export const languageChoices: readonly Choice[] = Object.entries(languages).map(
  ([lang, { name }]) => ({ value: lang, label: name, lang }),
)

/** What an API token may be allowed to do. */
export function abilityChoices(abilities: readonly Ability[]): readonly Choice[] {
  return abilities.map((one) => ({
    value: one,
    label: tokens.ability(one),
    hint: tokens.may(one),
  }))
}

/** How long an API token may be valid. */
export const expiryChoices: readonly Choice[] = Object.entries(tokens.expiries).map(
  ([value, label]) => ({ value, label }),
)

/** The expiry that is chosen as the page opens. */
export const shortestExpiry: TokenExpiry = '30'
