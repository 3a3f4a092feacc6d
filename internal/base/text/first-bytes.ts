/** Returns the characters of a text that lie within its first bytes, as UTF-8. */
export function firstBytes(text: string, bytes: number): string {
  const encoded = Buffer.from(text)
  // The decoder drops a character that was cut in two.
  return encoded.length <= bytes
    ? text
    : new TextDecoder().decode(encoded.subarray(0, bytes), { stream: true })
}
