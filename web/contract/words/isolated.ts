/**
 * What a person typed, as it stands within a sentence: written from the other side it would turn round the punctuation
 * beside it. In characters, since words are text and no HTML, which would take `<bdi>` (UAX #9; W3C: Inline bidi markup).
 */
export function isolated(typed: string): string {
  return `\u2068${typed}\u2069`
}
