// Made once, and not before a name is drawn: to make it takes longer than drawing the rest of a header.
let letters: Intl.Segmenter | undefined

/**
 * Of the first word of a name and the last, as people see letters: an emoji or a letter with its marks is one. What begins
 * with a bracket or another mark is left out, unless it is all there is.
 */
export function initials(name: string): string {
  const all = name.split(/\s+/).filter(Boolean)
  const named = all.filter((word) => !/^\p{P}/u.test(word))
  const words = named.length > 0 ? named : all
  const ends = words.length > 1 ? [words.at(0), words.at(-1)] : words
  return ends.map(firstLetter).join('').toUpperCase()
}

function firstLetter(word = ''): string {
  letters ??= new Intl.Segmenter('en')
  return [...letters.segment(word)][0]?.segment ?? ''
}
