let isLeft = false
let isLoaded = false

/** Notes when the browser begins to leave the page: requests that it stops then have not failed. */
export function noteLeaving(): void {
  addEventListener('beforeunload', () => {
    isLeft = true
  })
}

/** Whether the page is being left. */
export function isLeaving(): boolean {
  return isLeft
}

/** Whether the client itself is leaving the page, for another document of this site. */
export function isLoading(): boolean {
  return isLoaded
}

/** Notes that the page stays after all: what was to be loaded was a file, or was stopped. */
export function stayHere(): void {
  isLeft = isLoaded = false
}

/** Loads an address as a document, or the present one anew; never instead of where the person is going. */
export function load(url?: string): void {
  if (isLeft) return
  isLoaded = true
  // Without one the server would take a guest for somebody whose browser keeps none: see cookies-refused.ts.
  document.cookie = 'loading=1;max-age=9'
  // With a part after `#` the browser would only go to that part.
  if (url && url !== location.href) location.assign(url)
  else location.reload()
}
