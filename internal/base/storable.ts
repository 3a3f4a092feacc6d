/** A text that came from outside, as every database takes it: not each of them keeps a NUL in a text. */
export function storable(text: string): string {
  return text.replaceAll('\0', '\uFFFD')
}
