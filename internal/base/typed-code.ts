/**
 * A code without the spaces, dashes and dots that people set its groups apart by, the full stop of the sentence that it was
 * copied from, and the marks that a copy brings along unseen.
 */
export function withoutSeparators(code: string): string {
  return code.replace(/[\s\p{P}\p{Cf}]/gu, '')
}
