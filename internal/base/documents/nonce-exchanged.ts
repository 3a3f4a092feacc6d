import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, constants, createBrotliCompress } from 'node:zlib'

/**
 * Returns brotli's parameters for a document of that many bytes: the highest quality that is still cheap, and
 * a window of 64 kB, which holds most documents whole. Brotli's default of 4 MB would have to be cleared for
 * each.
 */
export function brotliOf(bytes: number): Record<number, number> {
  return {
    [constants.BROTLI_PARAM_QUALITY]: 5,
    [constants.BROTLI_PARAM_LGWIN]: 16,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes,
  }
}

/** A compressed document whose nonce can be replaced. */
export interface WithNonce {
  readonly bytes: Uint8Array
  /** The offset of the nonce in the bytes, where it is uncompressed. */
  readonly at: number
}

/**
 * Compresses a document so that its nonce can be replaced without compressing again: its first occurrence is
 * in an uncompressed meta-block (RFC 7932, 9.2), and the others refer to it. Returns undefined if the result
 * does not decompress to the document, or the document has no nonce. While compressing, a placeholder of
 * characters that the page does not contain replaces the nonce: otherwise brotli could encode a word of the
 * page as a reference into the nonce, and the word would change with it.
 */
export async function brotliWithNonce(html: string, nonce: string): Promise<WithNonce | undefined> {
  const standIn = unlikeHtml(nonce)
  const compressed = html.replaceAll(nonce, standIn)
  const at = compressed.indexOf(standIn)
  if (at < 0) return undefined
  // The stream can buffer more than a part, so that each part is read in one piece.
  const options = {
    params: brotliOf(compressed.length),
    readableHighWaterMark: 16 * compressed.length,
  }
  const encoder = createBrotliCompress(options)
  const flushed = (text: string) => {
    const output = Promise.withResolvers<Uint8Array>()
    encoder.once('error', output.reject)
    encoder.write(text)
    encoder.flush(constants.BROTLI_OPERATION_FLUSH, () =>
      output.resolve((encoder.read() as Buffer | null) ?? Buffer.alloc(0)),
    )
    return output.promise
  }
  const head = await flushed(compressed.slice(0, at))
  // Dropped: the uncompressed meta-block of the same length takes its place, so later references still fit.
  await flushed(standIn)
  encoder.end(compressed.slice(at + standIn.length))
  const block = Buffer.alloc(headBytes + nonce.length)
  // ISLAST 0, MNIBBLES 4, MLEN - 1, ISUNCOMPRESSED 1, and zeros up to the whole byte.
  block.writeUIntLE(((nonce.length - 1) << 3) | (1 << 19), 0, headBytes)
  // In memory of its own: a slice of Node's 64 KiB pool would keep the whole pool alive.
  const bytes = new Uint8Array(Buffer.concat([head, block, await buffer(encoder)]))
  const result = { bytes, at: head.length + headBytes }
  return decompressed(result, nonce) === html ? result : undefined
}

const headBytes = 3

/** Returns the compressed document with another nonce of the same length. */
export function withNonce({ bytes, at }: WithNonce, nonce: string): Buffer {
  const document = Buffer.from(bytes)
  document.write(nonce, at, 'latin1')
  return document
}

/**
 * Returns a placeholder as long as the nonce, each character a different control character. The padding of
 * base64 stays: every nonce ends with it, and brotli decodes the next character by the two before it (RFC
 * 7932, 7.1).
 */
function unlikeHtml(nonce: string): string {
  let last = 0
  return nonce.replaceAll(/[^=]/g, () => String.fromCharCode(++last))
}

function decompressed(document: WithNonce, nonce: string): string | undefined {
  try {
    return brotliDecompressSync(withNonce(document, nonce)).toString()
  } catch {
    return undefined
  }
}
