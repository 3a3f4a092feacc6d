/** What had the focus last with all that it stands in, from the inside out; in front of it a toast that had it since. */
let trail: readonly HTMLElement[] = []

/** Notes what has the focus. */
export function noteFocus({ target }: Pick<Event, 'target'>): void {
  const had = target as HTMLElement
  // A toast goes, and the person goes on where they were.
  trail = had.closest('#toasts') ? [had, ...trail] : [...upFrom(had)]
}

/**
 * Gives the focus on when what had it is gone, as a row is whose button removed it: to what had it before, or to the
 * heading that is nearest. Otherwise it falls to the body, and the keyboard begins at the top of the page.
 */
export function keepFocus(): void {
  const [had] = trail
  if (!had || had.checkVisibility()) return
  for (const there of trail) {
    if (!isLost()) return
    if (!there.isConnected) continue
    there.focus({ preventScroll: true })
    if (isLost()) focusHeadingIn(there)
  }
}

/** What is hidden has it still until the browser has drawn the page. */
function isLost(): boolean {
  const { activeElement: there, body } = document
  return !there || there === body || !there.checkVisibility()
}

function focusHeadingIn(there: HTMLElement): void {
  const headings = [...there.querySelectorAll<HTMLElement>('h1, h2, h3')]
  // That of a closed dialog stands there too.
  const heading = headings.find((each) => each.checkVisibility())
  if (!heading) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}

function* upFrom(element: HTMLElement): Iterable<HTMLElement> {
  for (let at: HTMLElement | null = element; at; at = at.parentElement) yield at
}
