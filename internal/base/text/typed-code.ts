/**
 * Returns a code without the spaces and punctuation that separate its groups or were copied along, and
 * without invisible characters.
 */
export function withoutSeparators(code: string): string {
  return code.replace(/[\s\p{P}\p{Cf}]/gu, '')
}
