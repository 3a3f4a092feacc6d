/**
 * A code without the spaces and dashes that people set its groups apart by, and the marks that a copy brings along unseen;
 * word processors have dashes of their own.
 */
export function withoutSeparators(code: string): string {
  return code.replace(/[\s\p{Pd}\p{Cf}]/gu, '')
}
