const [tab, space] = [0x09, 0x20]

/**
 * Strips the spaces and tabs around a part of a header (RFC 9110, 5.6.3: OWS). `trim()` would remove more,
 * such as the byte A0, which belongs to a name in the header. A pattern takes quadratic time on many spaces.
 */
export function withoutSpace(part: string): string {
  let [start, end] = [0, part.length]
  while (isSpace(part.charCodeAt(start))) start++
  while (end > start && isSpace(part.charCodeAt(end - 1))) end--
  return part.slice(start, end)
}

function isSpace(unit: number): boolean {
  return unit === space || unit === tab
}
