/** A code without the spaces and dashes that people set its groups apart by; word processors have dashes of their own. */
export function withoutSeparators(code: string): string {
  return code.replace(/[\s\p{Pd}]/gu, '')
}
