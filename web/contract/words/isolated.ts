/** The Unicode blocks for right-to-left scripts (UAX #9, Bidi_Class R and AL). */
const rightToLeft =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/**
 * Prepares typed text for a sentence. Right-to-left text is isolated, or it would reorder the punctuation
 * beside it: by characters, since words are plain text, where HTML would use `<bdi>` (W3C: Inline bidi
 * markup). Other text is unchanged, so that nobody copies invisible characters along with an email or a name.
 */
export function isolated(typed: string): string {
  return rightToLeft.test(typed) ? `\u2068${typed}\u2069` : typed
}
