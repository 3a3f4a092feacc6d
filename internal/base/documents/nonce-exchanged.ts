import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, constants, createBrotliCompress } from 'node:zlib'

/**
 * Brotli's parameters for a document of so many bytes: the highest quality that still costs little, and a window of
 * 64 kB, which holds most documents whole. The 4 MB of brotli's own default would have to be cleared for each.
 */
export function brotliOf(bytes: number): Record<number, number> {
  return {
    [constants.BROTLI_PARAM_QUALITY]: 5,
    [constants.BROTLI_PARAM_LGWIN]: 16,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes,
  }
}

/** A compressed document that takes another nonce in place of the one it was drawn with. */
export interface WithNonce {
  readonly bytes: Uint8Array
  /** Where the nonce stands in the bytes, uncompressed. */
  readonly at: number
}

/**
 * Compresses a document so that its nonce can be changed without compressing it again: the first occurrence stands in
 * an uncompressed meta-block (RFC 7932, 9.2), and the others are references to it. undefined when the result does not
 * decompress to the document, or the document has no nonce.
 *
 * While it is compressed, the document has a stand-in for its nonce, of characters that the page has nowhere else:
 * brotli could encode a word of the page as a reference into the nonce, and the word would change with the nonce.
 */
export async function brotliWithNonce(html: string, nonce: string): Promise<WithNonce | undefined> {
  const standIn = unlikeHtml(nonce)
  const compressed = html.replaceAll(nonce, standIn)
  const at = compressed.indexOf(standIn)
  if (at < 0) return undefined
  // The stream can hold more than a part, so that each part is read in one piece.
  const options = {
    params: brotliOf(compressed.length),
    readableHighWaterMark: 16 * compressed.length,
  }
  const encoder = createBrotliCompress(options)
  const flushed = (text: string) => {
    const done = Promise.withResolvers<Uint8Array>()
    encoder.once('error', done.reject)
    encoder.write(text)
    encoder.flush(constants.BROTLI_OPERATION_FLUSH, () =>
      done.resolve((encoder.read() as Buffer | null) ?? Buffer.alloc(0)),
    )
    return done.promise
  }
  const before = await flushed(compressed.slice(0, at))
  // Dropped: the uncompressed meta-block takes its place, which has as many characters, so later references still fit.
  await flushed(standIn)
  encoder.end(compressed.slice(at + standIn.length))
  const block = Buffer.alloc(headBytes + nonce.length)
  // ISLAST 0, MNIBBLES 4, MLEN - 1, ISUNCOMPRESSED 1, and zeros up to the whole byte.
  block.writeUIntLE(((nonce.length - 1) << 3) | (1 << 19), 0, headBytes)
  // In memory of its own: a part of Node's pool of 64 KiB would keep the whole pool in memory.
  const bytes = new Uint8Array(Buffer.concat([before, block, await buffer(encoder)]))
  const made = { bytes, at: before.length + headBytes }
  return read(made, nonce) === html ? made : undefined
}

const headBytes = 3

/** The compressed document with another nonce of the same length. */
export function withNonce({ bytes, at }: WithNonce, nonce: string): Buffer {
  const document = Buffer.from(bytes)
  document.write(nonce, at, 'latin1')
  return document
}

/**
 * As many characters as the nonce has, each a control character of its own. The padding of base64 stays: every nonce
 * ends with it, and brotli decodes the next character by the two before it (RFC 7932, 7.1).
 */
function unlikeHtml(nonce: string): string {
  let last = 0
  return nonce.replaceAll(/[^=]/g, () => String.fromCharCode(++last))
}

function read(made: WithNonce, nonce: string): string | undefined {
  try {
    return brotliDecompressSync(withNonce(made, nonce)).toString()
  } catch {
    return undefined
  }
}
