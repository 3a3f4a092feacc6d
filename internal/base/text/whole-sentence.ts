/** A message of another program as a whole sentence, after which another may follow. */
export function wholeSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}
