// oxfmt-ignore
const small = [
  'kein', 'ein', 'zwei', 'drei', 'vier', 'fünf', 'sechs', 'sieben', 'acht', 'neun', 'zehn', 'elf', 'zwölf',
]

/** Writes a number inside a sentence: in words up to `zwölf`, in digits from `13` on. */
export function inWords(number: number): string {
  return small[number] ?? String(number)
}

/** Writes a number at the beginning of a sentence. */
export function beginningInWords(number: number): string {
  const word = inWords(number)
  return word.charAt(0).toUpperCase() + word.slice(1)
}
