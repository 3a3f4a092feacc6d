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
  return ends.map(firstLetter).join(apart).toUpperCase()
}

// Without it two letters of Arabic, and of scripts like it, would be one word, which may mean something.
const apart = '\u200c'

function firstLetter(word = ''): string {
  letters ??= new Intl.Segmenter('en')
  // A mark that nobody sees is a letter of its own, where a name begins with it.
  const seen = word.replace(/^\p{Default_Ignorable_Code_Point}+/u, '')
  return [...letters.segment(seen)][0]?.segment ?? ''
}
