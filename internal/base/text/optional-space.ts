const [tab, space] = [0x09, 0x20]

/**
 * A part of a header without the spaces and tabs around it (RFC 9110, 5.6.3: OWS). `trim()` would remove more, such as
 * the byte A0, which to whoever wrote the header is part of a name. A pattern takes quadratic time on many spaces.
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
