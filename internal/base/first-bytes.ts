/** The characters of a text that lie within its first bytes, as UTF-8. */
export function firstBytes(text: string, bytes: number): string {
  const whole = Buffer.from(text)
  // The decoder drops a character that the cut went through.
  return whole.length <= bytes
    ? text
    : new TextDecoder().decode(whole.subarray(0, bytes), { stream: true })
}
