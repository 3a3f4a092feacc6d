import { brotliDecompressSync, gunzipSync } from 'node:zlib'

/** Decodes a body by its Content-Encoding. */
export function decodeBody(bytes: Buffer, coding: string | undefined): string {
  // An answer without a body, as to HEAD, has the header too.
  if (bytes.length === 0) return ''
  if (coding === 'br') return brotliDecompressSync(bytes).toString()
  return (coding === 'gzip' ? gunzipSync(bytes) : bytes).toString()
}
