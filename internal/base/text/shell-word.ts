/** A text as one word of a command that a person copies into a POSIX shell: in quotes where it needs them. */
export function shellWord(text: string): string {
  return /^[\w/.,:@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
