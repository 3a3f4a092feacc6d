/** A text as one word of a command of a POSIX shell, to be copied: in quotes where it needs them. */
export function shellWord(text: string): string {
  return /^[\w/.,:@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
