const sections = 'section.panel'

/**
 * The element that had the focus last, then all that it stands in, from the inside out; each `<li>` and each section is
 * followed by its neighbours. A toast that had the focus since comes before all these.
 */
let trail: readonly HTMLElement[] = []
/** Where the page was scrolled to at the last press. */
let pressedAt = 0
/** Whether the person has scrolled since their last press, and may be reading. */
let isReading = false

/** Notes what has the focus. */
export function noteFocus({ target }: Pick<Event, 'target'>): void {
  const had = target as HTMLElement
  // Once the toast is gone, the person goes on where they were before.
  trail = had.closest('#toasts') ? [had, ...trail] : [...upFrom(had)]
}

/** Notes where the person is as they press something. */
export function notePress(): void {
  pressedAt = scrollY
  isReading = false
}

/**
 * Notes that the page has been scrolled. A page that another takes the place of moves by itself too, but says so only
 * once the focus was kept.
 */
export function noteScroll(): void {
  isReading = Math.abs(scrollY - pressedAt) > 1
}

/**
 * Moves the focus when the element that had it is gone, such as the button of a row that it removed: to the element
 * that had it before, to the name of a neighbouring row, or to the nearest heading. Otherwise the body would have it,
 * and the keyboard would begin at the top of the page.
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

/** Focuses a name or heading, and no button: whoever presses Enter twice would remove the next row too. */
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
