import { isRandomId, sha256 } from '../../base/crypto/random.ts'
import type { App } from '../../app.ts'

/** The contents of a cookie whose session is in a row. */
export interface Name {
  /** 26 random characters. */
  readonly id: string
  /** The row's key: SHA-256 of the ID. */
  readonly key: Buffer
  /** Whether it was sealed with a key that is no longer the first. */
  readonly stale: boolean
}

// Whole sessions in cookies are sealed for the same purpose: the context keeps the two apart.
const context = 'id'

export function sealName(app: App, id: string): string {
  return app.keys.seal('session', context, id)
}

/** Opens a cookie; undefined if it holds something else. */
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
