/** Letters of the scripts that are written from right to left, as Unicode keeps its blocks for them (UAX #9, Bidi_Class R and AL). */
const rightToLeft =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/**
 * What a person typed, as it stands within a sentence: written from right to left it would turn round the punctuation
 * beside it. In characters, since words are text and no HTML, which would take `<bdi>` (W3C: Inline bidi markup). Else as it
 * is: whoever copies an email or a name is to get nothing that cannot be seen.
 */
export function isolated(typed: string): string {
  return rightToLeft.test(typed) ? `\u2068${typed}\u2069` : typed
}
