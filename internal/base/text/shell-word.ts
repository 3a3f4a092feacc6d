/** Returns a text as one word of a POSIX shell command that a person copies, quoted if necessary. */
export function shellWord(text: string): string {
  return /^[\w/.,:@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
