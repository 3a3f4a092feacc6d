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
  /** The form that led to the document which reads this. */
  readonly sent?: Sent
}

// Characters of JSON. Longer drafts are not kept: the storage of a browser is limited.
const longest = 100_000

/**
 * Keeps drafts for as long as the tab lives, sealed with the key of its history: clearing the history makes the drafts
 * unreadable too. Nothing is kept where the browser cannot seal.
 */
export async function writeKept(client: Client, kept: Kept): Promise<void> {
  const key = await client.historyKey()
  const isAny = Object.values(kept.drafts).some((draft) => Object.keys(draft).length > 0)
  if (!key || !isAny || JSON.stringify(kept).length > longest)
    return sessionStorage.removeItem(client.typedText)
  const { iv, data } = await client.seal(key, kept)
  sessionStorage.setItem(client.typedText, `${text(iv)} ${text(data)}`)
}

/** What was kept; undefined when there is nothing, or nothing that this tab's key opens. Throws if it is no base64. */
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
