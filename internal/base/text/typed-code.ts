/**
 * A code without spaces and punctuation, by which people separate its groups or which was copied along, and without
 * invisible characters that were copied along.
 */
export function withoutSeparators(code: string): string {
  return code.replace(/[\s\p{P}\p{Cf}]/gu, '')
}
