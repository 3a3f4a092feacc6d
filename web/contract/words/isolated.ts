/** The blocks that Unicode keeps for scripts written from right to left (UAX #9, Bidi_Class R and AL). */
const rightToLeft =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/**
 * What a person typed, to be put into a sentence. Text from right to left is isolated: it would turn round the
 * punctuation beside it. By characters, since words are text: HTML would use `<bdi>` (W3C: Inline bidi markup). Other
 * text stays as it is: whoever copies an email or a name should copy no invisible characters.
 */
export function isolated(typed: string): string {
  return rightToLeft.test(typed) ? `\u2068${typed}\u2069` : typed
}
