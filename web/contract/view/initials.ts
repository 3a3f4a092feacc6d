// Made once, when the first name is drawn: making a segmenter takes longer than drawing the rest of a header.
let letters: Intl.Segmenter | undefined

/**
 * The first letters of a name's first and last word. A letter is what people see as one: an emoji, or a letter with its
 * marks. Words that begin with a bracket or other punctuation are left out, unless there are no others.
 */
export function initials(name: string): string {
  const parts = name.split(/\s+/).filter(Boolean)
  const named = parts.filter((word) => !/^\p{P}/u.test(word))
  const words = named.length > 0 ? named : parts
  const ends = words.length > 1 ? [words.at(0), words.at(-1)] : words
  return ends.map(firstLetter).join(apart).toUpperCase()
}

// Put between the two letters: in Arabic and scripts like it they would join into a word, which may mean something.
const apart = '\u200c'

function firstLetter(word = ''): string {
  letters ??= new Intl.Segmenter('en')
  // An invisible character at the beginning of a word would be taken for its first letter.
  const visible = word.replace(/^\p{Default_Ignorable_Code_Point}+/u, '')
  return [...letters.segment(visible)][0]?.segment ?? ''
}
