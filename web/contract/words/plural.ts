import type { Language } from '../languages.ts'

/** The texts for a count, by CLDR's plural categories; `other` also for each category that is left out. */
interface PluralForms extends Partial<Record<Intl.LDMLPluralRule, string>> {
  readonly other: string
}

const made = new Map<Language, readonly [Intl.PluralRules, Intl.NumberFormat]>()

/** Returns the form for a count in a language, with the count in place of `#`. */
export function plural(language: Language, count: number, forms: PluralForms): string {
  const [rules, numbers] = of(language)
  const form = forms[rules.select(count)] ?? forms.other
  return form.replace('#', numbers.format(count))
}

// Cached: creating both takes longer than all other words of a page.
function of(language: Language): readonly [Intl.PluralRules, Intl.NumberFormat] {
  const kept = made.get(language)
  if (kept) return kept
  const both = [new Intl.PluralRules(language), new Intl.NumberFormat(language)] as const
  made.set(language, both)
  return both
}
