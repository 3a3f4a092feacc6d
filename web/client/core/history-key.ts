/** Where local storage says when the history was cleared last. */
export const clearedAt = 'historyCleared'
/** Where local storage says when somebody last logged out; a login that ended otherwise does not count. */
export const loggedOutAt = 'loggedOut'
const mine = 'tabKey'

/**
 * This tab's key for kept pages, made anew once any tab of the browser has cleared the history. Undefined
 * where the browser has no cryptography: on plain HTTP away from localhost.
 */
export async function historyKey(): Promise<CryptoKey | undefined> {
  if (!globalThis.crypto.subtle) return undefined
  const [madeAfter, kept] = (sessionStorage.getItem(mine) ?? '').split(' ')
  const cleared = localStorage.getItem(clearedAt) ?? ''
  const text = kept && madeAfter === cleared ? kept : randomText()
  sessionStorage.setItem(mine, `${cleared} ${text}`)
  const bytes = Uint8Array.from(text.split('-'), Number)
  return crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt'])
}

/** Makes every page kept so far unreadable, in every tab of the browser, also in those asleep. */
export function forgetHistory(isLogout: boolean): void {
  const now = String(Date.now())
  // Local storage rather than a message: a tab that is frozen, or on another site, sees it when it is back.
  if (isLogout) localStorage.setItem(loggedOutAt, now)
  localStorage.setItem(clearedAt, now)
}

/** Calls back when another tab has cleared the history. */
export function onForgotten(changed: () => void): void {
  addEventListener('storage', ({ key }) => {
    if (key === clearedAt) changed()
  })
}

/** 32 random bytes as numbers, which browsers make on plain HTTP too. */
export function randomText(): string {
  return crypto.getRandomValues(new Uint8Array(32)).join('-')
}
