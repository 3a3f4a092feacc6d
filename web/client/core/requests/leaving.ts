let isBeingLeft = false
let isLoadStarted = false

/** Records when the browser starts to leave the page: requests aborted from then on have not failed. */
export function watchLeaving(): void {
  addEventListener('beforeunload', () => {
    isBeingLeft = true
  })
}

export function isLeaving(): boolean {
  return isBeingLeft
}

/** Whether the client itself has started to load another document of this site. */
export function isLoading(): boolean {
  return isLoadStarted
}

/** Records that the page stays after all: the navigation was stopped, or was a download. */
export function stayHere(): void {
  isBeingLeft = isLoadStarted = false
}

/**
 * Loads a URL as a document, or reloads the current one, which it knows by its whole URL. Never overrides a navigation
 * the person started.
 */
export function loadDocument(url = location.href): void {
  if (isBeingLeft) return
  isLoadStarted = true
  // Without it the server would take a guest's browser for one that blocks cookies: see cookies-refused.ts.
  document.cookie = 'loading=1;max-age=9'
  if (url !== location.href) location.assign(url)
  // Also after the browser has only scrolled, to another fragment (`#`) of this document.
  if (url === location.href) location.reload()
}
