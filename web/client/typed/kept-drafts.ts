import type { Client } from '../core/client-api.ts'
import type { Draft } from './fields.ts'

/** A form as it was sent. */
export interface Sent {
  readonly component: string
  readonly key: string
  readonly draft: Draft
}

export interface Kept {
  readonly user: number
  readonly drafts: Readonly<Record<string, Draft>>
  /** The form that led to the document reading this. */
  readonly sent?: Sent
}

// Characters of JSON. Longer drafts are not stored: browsers limit storage.
const longest = 100_000

/**
 * Stores drafts for the life of the tab, encrypted with the key of its history: clearing the history makes
 * them unreadable too. Stores nothing where the browser cannot encrypt.
 */
export async function writeKept(client: Client, kept: Kept): Promise<void> {
  const key = await client.historyKey()
  const isAny = Object.values(kept.drafts).some((draft) => Object.keys(draft).length > 0)
  if (!key || !isAny || JSON.stringify(kept).length > longest)
    return sessionStorage.removeItem(client.typedText)
  const { iv, data } = await client.seal(key, kept)
  sessionStorage.setItem(client.typedText, `${text(iv)} ${text(data)}`)
}

/** Reads the stored drafts; undefined if none can be decrypted with this tab's key. Throws on bad base64. */
export async function readKept(client: Client): Promise<Kept | undefined> {
  const [iv, data] = (sessionStorage.getItem(client.typedText) ?? '').split(' ')
  const key = await client.historyKey()
  if (!key || !iv || !data) return undefined
  const sealed = { iv: bytes(iv), data: bytes(data).buffer }
  return client.unseal(key, sealed) as Promise<Kept | undefined>
}

function text(sealed: ArrayBuffer | Uint8Array): string {
  return btoa(Array.from(new Uint8Array(sealed), (byte) => String.fromCharCode(byte)).join(''))
}

function bytes(written: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(written), (character) => character.charCodeAt(0))
}
