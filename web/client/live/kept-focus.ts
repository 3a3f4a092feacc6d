/**
 * What had the focus last with all that it stands in, from the inside out, and of a list the neighbours too; in front of it
 * a toast that had it since.
 */
let trail: readonly HTMLElement[] = []
/** Where the page was scrolled to as something was pressed last. */
let scrolled = 0

/** Notes what has the focus. */
export function noteFocus({ target }: Pick<Event, 'target'>): void {
  const had = target as HTMLElement
  // A toast goes, and the person goes on where they were.
  trail = had.closest('#toasts') ? [had, ...trail] : [...upFrom(had)]
}

/** Notes where the person is as they press something. */
export function noteScroll(): void {
  scrolled = scrollY
}

/** Whether somebody has scrolled since, and may be reading. A page that got shorter has moved by itself. */
function isReading(): boolean {
  const end = document.documentElement.scrollHeight - innerHeight
  return Math.abs(scrollY - Math.min(scrolled, end)) > 1
}

/**
 * Gives the focus on when what had it is gone, as a row is whose button removed it: to what had it before, to the name of
 * the row that came in its place, or to the heading that is nearest. Otherwise it falls to the body, and the keyboard
 * begins at the top of the page.
 */
export function keepFocus(): void {
  const [had] = trail
  if (!had || had.checkVisibility()) return
  for (const there of trail) {
    if (!isLost()) return
    if (!there.isConnected) continue
    there.focus({ preventScroll: true })
    if (isLost()) focusNameIn(there)
  }
}

/** Whether nothing that can be seen has the focus. What is hidden keeps it until the browser has drawn the page. */
function isLost(): boolean {
  const { activeElement: there, body } = document
  return !there || there === body || !there.checkVisibility()
}

/** To a name, and no button: whoever presses Enter twice would do the same to the next row. */
function focusNameIn(there: HTMLElement): void {
  const names = [
    ...there.querySelectorAll<HTMLElement>(there.matches('li') ? 'strong' : 'h1, h2, h3'),
  ]
  // The name may be that of a closed dialog.
  const name = names.find((each) => each.checkVisibility())
  if (!name) return
  name.tabIndex = -1
  name.focus({ preventScroll: true })
  if (!isReading()) name.scrollIntoView({ block: 'nearest' })
}

function* upFrom(element: HTMLElement): Iterable<HTMLElement> {
  for (let at: Element | null = element; at instanceof HTMLElement; at = at.parentElement) {
    yield at
    if (!at.matches('li')) continue
    for (const beside of [at.nextElementSibling, at.previousElementSibling])
      if (beside instanceof HTMLElement) yield beside
  }
}
