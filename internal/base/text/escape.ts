/**
 * Escapes the characters that could forge a line, control a terminal or reverse text as `\uXXXX`: controls,
 * line ends, bidirectional and other invisible marks, and lone surrogates.
 */
export function escapeControls(text: string): string {
  // Most text is plain; this test takes a tenth of the time of the one below.
  if (!unusual.test(text)) return text
  return text.replace(hidden, (characters) =>
    Array.from({ length: characters.length }, (_, at) => characters.charCodeAt(at))
      .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
      .join(''),
  )
}

const unusual = /[^\x20-\x7e]/
// The two joiners stay between non-ASCII characters: some scripts, and emoji, cannot be read without them.
const hidden =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]|(?![\u200c\u200d])\p{Cf}|(?<![^\0-\x7f])[\u200c\u200d]|[\u200c\u200d](?![^\0-\x7f])/gu

/** Escapes the characters that have a meaning in HTML, for a text or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (mark) => marks[mark] ?? '')
}

const marks: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
