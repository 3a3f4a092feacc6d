import type { App } from '../../app.ts'
import type { Purpose } from '../../base/crypto/keys.ts'

/** What to do if no key opens a sealed text. */
export const adviceOnKeys =
  'Set APP_KEY to the key of this database, or add the key it had before to APP_PREVIOUS_KEYS; if that one leaked, do as README.md says of a leaked APP_KEY instead.'

/** What sealing and opening need of the app. */
type Sealer = Pick<App, 'keys'>

/** Which of a user's two sealed values. Each is sealed for its purpose and its user (security rule 4). */
type Sealing = Extract<Purpose, 'totp' | 'recovery'>

export function seal(app: Sealer, purpose: Sealing, id: number, text: string): string {
  return app.keys.seal(purpose, context(purpose, id), text)
}

/** Opens a sealed text. Throws if no key does: then a key is missing from the settings. */
export function open(app: Sealer, purpose: Sealing, id: number, sealed: string): string {
  const opened = app.keys.open(purpose, context(purpose, id), sealed)
  if (opened) return opened.text
  throw new Error(`No key opens ${context(purpose, id)}. ${adviceOnKeys}`)
}

export function isOpened(app: Sealer, purpose: Sealing, id: number, sealed: string): boolean {
  return app.keys.open(purpose, context(purpose, id), sealed) !== undefined
}

/** Seals the text with the first key, as `to`; `current` if it is so already, `lost` if no key opens it. */
export function sealedAnew(
  app: Sealer,
  purpose: Sealing,
  id: number,
  sealed: string,
): { to: string } | 'current' | 'lost' {
  const opened = app.keys.open(purpose, context(purpose, id), sealed)
  if (!opened) return 'lost'
  return opened.stale ? { to: seal(app, purpose, id, opened.text) } : 'current'
}

function context(purpose: Sealing, id: number): string {
  return `${purpose}:${id}`
}
