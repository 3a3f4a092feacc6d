/** Returns a text from outside as every database can store it: some take no NUL in a text. */
export function storable(text: string): string {
  return text.replaceAll('\0', '\uFFFD')
}
