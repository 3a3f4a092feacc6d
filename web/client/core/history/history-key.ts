/** Local storage key of the time when the history was last cleared. */
export const clearedAt = 'historyCleared'
/** Local storage key of the time of the last logout; logins that ended in another way do not count. */
export const loggedOutAt = 'loggedOut'
const tabKey = 'tabKey'

/**
 * Returns this tab's key for pages in the history, replaced whenever any tab clears the history. Undefined
 * where Web Crypto is missing: on plain HTTP, except at localhost.
 */
export async function historyKey(): Promise<CryptoKey | undefined> {
  if (!globalThis.crypto.subtle) return undefined
  const [madeAfter, kept] = (sessionStorage.getItem(tabKey) ?? '').split(' ')
  const cleared = localStorage.getItem(clearedAt) ?? ''
  const text = kept && madeAfter === cleared ? kept : randomText()
  sessionStorage.setItem(tabKey, `${cleared} ${text}`)
  const bytes = Uint8Array.from(text.split('-'), Number)
  return crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt'])
}

/** Makes all pages stored so far unreadable, in every tab of the browser, suspended ones too. */
export function forgetHistory(isLogout: boolean): void {
  const now = String(Date.now())
  // Local storage rather than a message: a tab that is frozen, or on another site, sees it on its return.
  if (isLogout) localStorage.setItem(loggedOutAt, now)
  localStorage.setItem(clearedAt, now)
}

/** Calls back when another tab clears the history. */
export function onForgotten(changed: () => void): void {
  addEventListener('storage', ({ key }) => {
    if (key === clearedAt) changed()
  })
}

/** Returns 32 random bytes as numbers; works on plain HTTP too. */
export function randomText(): string {
  return crypto.getRandomValues(new Uint8Array(32)).join('-')
}
