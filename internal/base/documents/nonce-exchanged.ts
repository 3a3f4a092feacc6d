import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, constants, createBrotliCompress } from 'node:zlib'

/**
 * How a document of so many bytes is compressed: at the last of eleven qualities that costs little, and within a window
 * of 64 kB, which has most documents in it whole. That of 4 MB which brotli takes of itself is memory to be cleared.
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
  /** Where the nonce stands in them, as it is. */
  readonly at: number
}

/**
 * Compresses a document so that its nonce can be changed without compressing it again: the first one stands in the stream
 * as it is, in an uncompressed meta-block (RFC 7932, 9.2), and the others only say that they are the same. undefined where
 * that came out otherwise, or no nonce stands in it.
 *
 * What is compressed has a stand-in for it, of letters that the page has nowhere else: brotli could copy a word of the page
 * from a nonce, and the word would change with each.
 */
export async function brotliWithNonce(html: string, nonce: string): Promise<WithNonce | undefined> {
  const standIn = unlikeHtml(nonce)
  const compressed = html.replaceAll(nonce, standIn)
  const at = compressed.indexOf(standIn)
  if (at < 0) return undefined
  // Nothing is read before a part is whole.
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
  // In its place comes the meta-block. After both the encoder and whoever decodes have seen as many bytes.
  await flushed(standIn)
  encoder.end(compressed.slice(at + standIn.length))
  const block = Buffer.alloc(headBytes + nonce.length)
  // ISLAST 0, MNIBBLES 4, MLEN - 1, ISUNCOMPRESSED 1, and zeros up to the whole byte.
  block.writeUIntLE(((nonce.length - 1) << 3) | (1 << 19), 0, headBytes)
  // In memory of its own: Node would have it in a pool of 64 KiB, all of which stays as long as it does.
  const bytes = new Uint8Array(Buffer.concat([before, block, await buffer(encoder)]))
  const made = { bytes, at: before.length + headBytes }
  return read(made, nonce) === html ? made : undefined
}

const headBytes = 3

/** The document with a nonce of as many letters. */
export function withNonce({ bytes, at }: WithNonce, nonce: string): Buffer {
  const document = Buffer.from(bytes)
  document.write(nonce, at, 'latin1')
  return document
}

/**
 * As many characters, but control characters, each once. What fills up base64 stays: every nonce ends with it, and what comes
 * after it is read by it.
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
