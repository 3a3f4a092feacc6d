import { brotliDecompressSync, gunzipSync } from 'node:zlib'

/** The text of a body by its Content-Encoding. */
export function decoded(bytes: Buffer, coding: string | undefined): string {
  // What is only told of has a coding too.
  if (bytes.length === 0) return ''
  if (coding === 'br') return brotliDecompressSync(bytes).toString()
  return (coding === 'gzip' ? gunzipSync(bytes) : bytes).toString()
}
