import { sha256Text } from '../crypto/random.ts'
import { brotliWithNonce, withNonce, type WithNonce } from './nonce-exchanged.ts'

// Bytes of the documents kept, and the number of keys remembered of documents requested once.
const mostBytes = 4 * 1024 * 1024
const mostRequestedOnce = 10_000
// The most documents compressed at once, each in memory of its own. Another one can be kept the next time.
const mostMaking = 16

/**
 * Caches compressed documents, by a hash of all that they depend on: drawing and compressing are most of a
 * page's cost, and many pages are requested again unchanged. A document is kept only from its second request
 * on, since most have only one.
 */
export class KeptDocuments {
  readonly #mostBytes: number
  /** In order of use: the most recently used is last. */
  readonly #documents = new Map<string, WithNonce>()
  readonly #requestedOnce = new Set<string>()
  #bytes = 0
  #making = 0

  constructor(most = mostBytes) {
    this.#mostBytes = most
  }

  /** Bytes of all that is kept. */
  get bytes(): number {
    return this.#bytes
  }

  /** Returns the key of a document: a hash of the text of all that it depends on except its nonce. */
  static keyOf(text: string): string {
    return sha256Text(text)
  }

  /** Returns the document in brotli, with this nonce; undefined if it is not kept. */
  find(key: string, nonce: string): Uint8Array | undefined {
    const compressed = this.#documents.get(key)
    if (!compressed) return undefined
    this.#documents.delete(key)
    this.#documents.set(key, compressed)
    return withNonce(compressed, nonce)
  }

  /** Keeps a document that was drawn with this nonce, if it was requested before. */
  async note(key: string, { html, nonce }: { html: string; nonce: string }): Promise<void> {
    if (!this.#requestedOnce.has(key)) return this.#remember(key)
    if (this.#making >= mostMaking) return
    this.#requestedOnce.delete(key)
    this.#making++
    try {
      const compressed = await brotliWithNonce(html, nonce)
      if (compressed && !this.#documents.has(key)) this.#store(key, compressed)
    } finally {
      this.#making--
    }
  }

  #remember(key: string): void {
    this.#requestedOnce.add(key)
    const [oldest] = this.#requestedOnce
    if (oldest !== undefined && this.#requestedOnce.size > mostRequestedOnce)
      this.#requestedOnce.delete(oldest)
  }

  #store(key: string, compressed: WithNonce): void {
    this.#documents.set(key, compressed)
    this.#bytes += sizeOf(compressed)
    for (const [oldest, old] of this.#documents) {
      if (this.#bytes <= this.#mostBytes) return
      this.#documents.delete(oldest)
      this.#bytes -= sizeOf(old)
    }
  }
}

function sizeOf({ bytes }: WithNonce): number {
  return bytes.length
}
