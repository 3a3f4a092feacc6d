// Created with the first name drawn: creating a segmenter takes longer than drawing the rest of a header.
let segmenter: Intl.Segmenter | undefined

/**
 * Returns the first letters of a name's first and last word. A letter is what people perceive as one, such as
 * an emoji or a letter with diacritics. Words that begin with punctuation are skipped, unless all do.
 */
export function initials(name: string): string {
  const parts = name.split(/\s+/).filter(Boolean)
  const unpunctuated = parts.filter((word) => !/^\p{P}/u.test(word))
  const words = unpunctuated.length > 0 ? unpunctuated : parts
  const ends = words.length > 1 ? [words.at(0), words.at(-1)] : words
  return ends.map(firstLetter).join(nonJoiner).toUpperCase()
}

// Between the two letters: in Arabic and similar scripts they would join into a word, with a meaning.
const nonJoiner = '\u200c'

function firstLetter(word = ''): string {
  segmenter ??= new Intl.Segmenter('en')
  // An invisible character at the start of a word would be taken for its first letter.
  const visible = word.replace(/^\p{Default_Ignorable_Code_Point}+/u, '')
  return [...segmenter.segment(visible)][0]?.segment ?? ''
}
