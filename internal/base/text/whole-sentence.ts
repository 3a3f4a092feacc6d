/** Returns a message of another program as a whole sentence, which another may follow. */
export function wholeSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}
