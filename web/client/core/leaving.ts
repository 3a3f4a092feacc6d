let isLeft = false
let isLoaded = false

/** Notes when the browser begins to leave the page: it ends all that is on its way then, which is no fault. */
export function noteLeaving(): void {
  addEventListener('beforeunload', () => {
    isLeft = true
  })
}

/** Whether the page is being left. */
export function isLeaving(): boolean {
  return isLeft
}

/** Whether it is by us that the page is being left, for one of this site. */
export function isLoading(): boolean {
  return isLoaded
}

/** The person goes on here: what was begun to be left for was a file, or was stopped. */
export function stayHere(): void {
  isLeft = isLoaded = false
}

/** Loads an address as a document, or the present one anew; never instead of where the person is going. */
export function load(url?: string): void {
  if (isLeft) return
  isLoaded = true
  // With a part after `#` the browser would only go to that part.
  if (url && url !== location.href) location.assign(url)
  else location.reload()
}
