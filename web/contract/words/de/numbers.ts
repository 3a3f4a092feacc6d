// oxfmt-ignore
const small = [
  'kein', 'ein', 'zwei', 'drei', 'vier', 'fünf', 'sechs', 'sieben', 'acht', 'neun', 'zehn', 'elf', 'zwölf',
]

/** A number as it stands in a sentence: `zwölf`, and `13` from there. */
export function inWords(number: number): string {
  return small[number] ?? String(number)
}

/** The same at the beginning of one. */
export function beginningInWords(number: number): string {
  const word = inWords(number)
  return word.charAt(0).toUpperCase() + word.slice(1)
}
