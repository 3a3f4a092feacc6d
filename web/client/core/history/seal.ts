/** A value that can only be decrypted with the key it was encrypted with. */
export interface Sealed {
  readonly iv: Uint8Array<ArrayBuffer>
  readonly data: ArrayBuffer
}

/** Encrypts a JSON value with AES-GCM under a fresh IV. */
export async function seal(key: CryptoKey, value: unknown): Promise<Sealed> {
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const text = new TextEncoder().encode(JSON.stringify(value))
  return { iv, data: await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, text) }
}

/** Decrypts a value; undefined if it was encrypted with another key or altered. */
export async function unseal(key: CryptoKey, { iv, data }: Sealed): Promise<unknown> {
  try {
    const text = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, data)
    return JSON.parse(new TextDecoder().decode(text))
  } catch {
    return undefined
  }
}
