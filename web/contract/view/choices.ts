import type { Ability } from '../abilities.ts'
import type { TokenExpiry } from '../limits.ts'
import { languages } from '../languages.ts'
import { tokens } from '#words/settings/tokens'

/** A choice in a form: one of several radios or checkboxes. */
export interface Choice {
  readonly value: string
  readonly label: string
  readonly hint?: string
  /** The language of the label, if it is not the page's. */
  readonly lang?: string
}

/** The languages, each by its own name. */
export const languageChoices: readonly Choice[] = Object.entries(languages).map(
  ([lang, { name }]) => ({ value: lang, label: name, lang }),
)

/** Returns what an API token may be allowed to do. */
export function abilityChoices(abilities: readonly Ability[]): readonly Choice[] {
  return abilities.map((ability) => ({
    value: ability,
    label: tokens.ability(ability),
    hint: tokens.may(ability),
  }))
}

/** How long an API token may be valid. */
export const expiryChoices: readonly Choice[] = Object.entries(tokens.expiries).map(
  ([value, label]) => ({ value, label }),
)

/** The initially selected expiry. */
export const shortestExpiry: TokenExpiry = '30'
