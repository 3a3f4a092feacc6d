/** Of the first word of a name and the last, as people see letters: an emoji or a letter with its marks is one. */
export function initials(name: string): string {
  const words = name.split(/\s+/).filter(Boolean)
  const ends = words.length > 1 ? [words.at(0), words.at(-1)] : words
  const letters = new Intl.Segmenter('en')
  return ends
    .map((word = '') => [...letters.segment(word)][0]?.segment ?? '')
    .join('')
    .toUpperCase()
}
