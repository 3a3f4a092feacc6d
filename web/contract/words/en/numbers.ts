const small = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

/** A number as it stands in a sentence: `ten`, and `11` from there. */
export function inWords(number: number): string {
  return small[number] ?? String(number)
}

/** The same at the beginning of one. */
export function beginningInWords(number: number): string {
  const word = inWords(number)
  return word.charAt(0).toUpperCase() + word.slice(1)
}
