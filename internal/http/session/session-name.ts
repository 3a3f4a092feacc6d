import { isRandomId, sha256 } from '../../base/crypto/random.ts'
import type { App } from '../../app.ts'

/** What a cookie holds of a session that has a row. */
export interface Name {
  /** 26 random characters. */
  readonly id: string
  /** The row's: SHA-256 of the ID. */
  readonly key: Buffer
  /** Sealed with a key that is no longer the first. */
  readonly stale: boolean
}

// Whole sessions are sealed in cookies for the same purpose: neither may be taken for the other.
const context = 'id'

export function sealName(app: App, id: string): string {
  return app.keys.seal('session', context, id)
}

/** undefined when the cookie holds something else. */
export function openName(app: App, value: string): Name | undefined {
  const sealed = app.keys.open('session', context, value)
  if (!sealed || !isRandomId(sealed.text)) return undefined
  return { id: sealed.text, key: rowKey(sealed.text), stale: sealed.stale }
}

/** Whether a cookie holds the name of a row. */
export function namesRow(app: App, value: string): boolean {
  return openName(app, value) !== undefined
}

export function rowKey(id: string): Buffer {
  return sha256(id)
}
