/**
 * Writes the characters that could forge a line, drive a terminal or turn text around as `\uXXXX`: controls,
 * line ends, bidirectional and other invisible marks, and halves of pairs.
 */
export function escapeControls(text: string): string {
  // Most text is plain; this look at it takes a tenth of the one below.
  if (!unusual.test(text)) return text
  return text.replace(hidden, (found) =>
    Array.from({ length: found.length }, (_, at) => found.charCodeAt(at))
      .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
      .join(''),
  )
}

const unusual = /[^\x20-\x7e]/
// The two joiners stay between characters beyond ASCII: names in some scripts cannot be read without them, nor emoji.
const hidden =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]|(?![\u200c\u200d])\p{Cf}|(?<![^\0-\x7f])[\u200c\u200d]|[\u200c\u200d](?![^\0-\x7f])/gu

/** Escapes the characters that mean something in HTML, for a text or an attribute in quotes. */
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
