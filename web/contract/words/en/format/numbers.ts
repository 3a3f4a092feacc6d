const small = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

/** Writes a number inside a sentence: in words up to `ten`, in digits from `11` on. */
export function inWords(number: number): string {
  return small[number] ?? String(number)
}

/** Writes a number at the beginning of a sentence. */
export function beginningInWords(number: number): string {
  const word = inWords(number)
  return word.charAt(0).toUpperCase() + word.slice(1)
}
