/** A text from outside as every database can store it: not all of them take a NUL in a text. */
export function storable(text: string): string {
  return text.replaceAll('\0', '\uFFFD')
}
