const sections = 'section.panel'

/**
 * The last focused element and all its ancestors, innermost first; each `<li>` and each section is followed
 * by its siblings. A toast focused since comes before all these.
 */
let trail: readonly HTMLElement[] = []
/** The scroll position at the last click. */
let pressedAt = 0
/** Whether the person has scrolled since their last click, and may be reading. */
let isReading = false

/** Records the focused element. */
export function noteFocus({ target }: Pick<Event, 'target'>): void {
  const had = target as HTMLElement
  // Once the toast is gone, the focus returns to where it was before.
  trail = had.closest('#toasts') ? [had, ...trail] : [...upFrom(had)]
}

/** Records the scroll position of a click. */
export function notePress(): void {
  pressedAt = scrollY
  isReading = false
}

/** Records a scroll. One caused by replacing the page is reported only after the focus was kept. */
export function noteScroll(): void {
  isReading = Math.abs(scrollY - pressedAt) > 1
}

/**
 * Moves the focus when the focused element is gone, such as the button of a row that it removed: to the
 * element focused before, to the name of an adjacent row, or to the nearest heading. Otherwise the body would
 * have it, and Tab would start at the top of the page.
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

/** Whether nothing visible has the focus. A hidden element keeps it until the next rendering. */
function isLost(): boolean {
  const { activeElement: there, body } = document
  return !there || there === body || !there.checkVisibility()
}

/** Focuses a name or heading, but no button: a second Enter would remove the next row too. */
function focusNameIn(there: HTMLElement): void {
  const names = [
    ...there.querySelectorAll<HTMLElement>(there.matches('li') ? 'strong' : 'h1, h2, h3'),
  ]
  // The first name may be hidden, in a closed dialog.
  const name = names.find((each) => each.checkVisibility())
  if (!name) return
  name.tabIndex = -1
  name.focus({ preventScroll: true })
  if (!isReading) name.scrollIntoView({ block: 'nearest' })
}

function* upFrom(element: HTMLElement): Iterable<HTMLElement> {
  for (let at: Element | null = element; at instanceof HTMLElement; at = at.parentElement) {
    yield at
    const { previousElementSibling: before, nextElementSibling: after } = at
    const beside = at.matches('li') ? [after, before] : at.matches(sections) ? [before, after] : []
    for (const each of beside) if (each instanceof HTMLElement) yield each
  }
}
