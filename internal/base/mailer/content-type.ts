/** Returns the type of a file, by its first bytes; `application/octet-stream` if they reveal nothing. */
export function sniffType(content: Uint8Array): string {
  const head = Buffer.from(content.subarray(0, sniffed))
  const latin = head.toString('latin1')
  const known = signatures.find(([start]) => start.test(latin))
  if (known) return known[1]
  return isText(head) ? 'text/plain; charset=utf-8' : 'application/octet-stream'
}

const sniffed = 512

// The bytes are read as Latin-1, so that each is one character, control characters included.
/* oxlint-disable no-control-regex */
// oxfmt-ignore
const signatures: readonly (readonly [start: RegExp, type: string])[] = [
  [/^\x89PNG\r\n\x1a\n/,           'image/png'],
  [/^\xff\xd8\xff/,                'image/jpeg'],
  [/^GIF8[79]a/,                   'image/gif'],
  [/^RIFF[^]{4}WEBPVP8/,           'image/webp'],
  [/^[^]{4}ftypavi[fs]/,           'image/avif'],
  [/^[^]{4}ftyp/,                  'video/mp4'],
  [/^%PDF-/,                       'application/pdf'],
  [/^PK\x03\x04/,                  'application/zip'],
  [/^\x1f\x8b\x08/,                'application/gzip'],
  [/^(?:ID3|\xff\xfb)/,            'audio/mpeg'],
  [/^OggS\0/,                      'application/ogg'],
  [/^BEGIN:VCALENDAR\r?\n/,        'text/calendar; charset=utf-8'],
  [/^(?:\xef\xbb\xbf)?\s*<\?xml/,  'text/xml'],
  [/^(?:\xef\xbb\xbf)?\s*<(?:!doctype html|html|head|body)[\s>]/i, 'text/html; charset=utf-8'],
]

const binary = /[\p{Cc}--[\t\n\v\f\r\x1b\x85]]/v
/* oxlint-enable no-control-regex */

function isText(head: Buffer): boolean {
  if (head.length === 0) return false
  // As a stream, since the last character may be cut in two.
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    return !binary.test(decoder.decode(head, { stream: head.length === sniffed }))
  } catch {
    // The decoder reports invalid UTF-8 only by throwing.
    return false
  }
}
