/** What another program said, as a sentence that others may follow. */
export function wholeSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}
