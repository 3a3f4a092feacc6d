const pressed = 'a, button, input, select, textarea, label, summary, [tabindex="0"]'
/** In CSS pixels. */
const gap = 8

/** Keeps toasts off what is pressed or copied, has arrived or has the focus, as all of these come and go and move. */
export function followToasts(): void {
  const toasts = document.querySelector<HTMLElement>('#toasts')
  if (!toasts) return
  toasts.dataset.lifted = ''
  const change = (changes: readonly MutationRecord[]) => {
    liftToasts()
    const come = changes.flatMap(({ addedNodes }) => [...addedNodes]).at(-1)
    if (!(come instanceof HTMLElement)) return
    // Not all of them are in sight where the window is low.
    toasts.scrollTop = come.offsetTop
    // What has the focus is moved where the toasts cannot be.
    const focused = document.querySelector<HTMLElement>(':focus')
    const place = toasts.getBoundingClientRect()
    if (beside(toasts, place, [focused]).some((at) => isOver(place, at)))
      focused?.scrollIntoView({ block: 'nearest' })
  }
  new MutationObserver(change).observe(toasts, { childList: true, subtree: true })
  const focus = ({ target }: FocusEvent) => {
    // A button in a toast must not go from under the pointer. Any other focus: once the browser has scrolled to it.
    if (!toasts.contains(target as Element)) requestAnimationFrame(liftToasts)
  }
  document.addEventListener('focusin', focus)
  // Safari before 26.2 has no scrollend.
  addEventListener('onscrollend' in window ? 'scrollend' : 'scroll', liftToasts)
  addEventListener('resize', liftToasts)
  visualViewport?.addEventListener('resize', liftToasts)
}

/**
 * Lifts toasts to the lowest place of the window where they cover nothing that is pressed or to be copied, nor what has
 * arrived and says what to do with it, nor lie below a keyboard on the screen. Where there is none, what is to be copied
 * comes first, since it may be shown only now, and what has the focus last. Where there is no such place either they stay at its end: what is there can be scrolled from
 * under them.
 */
export function liftToasts(): void {
  const toasts = document.querySelector<HTMLElement>('#toasts')
  if (!toasts) return
  toasts.style.translate = ''
  const place = toasts.getBoundingClientRect()
  document.documentElement.style.scrollPaddingBlock = clearOf(place)
  if (place.height === 0) return
  const all = (selector: string) => [
    ...(toasts.parentElement?.querySelectorAll<HTMLElement>(selector) ?? []),
  ]
  const off = beside(toasts, place, all(pressed))
  const copied = all('[data-copy]').flatMap((button) => [
    button,
    document.getElementById(button.dataset.copy ?? ''),
  ])
  const arrived = beside(toasts, place, all('[data-arrived] > *'))
  const toCopy = beside(toasts, place, copied)
  const focused = beside(toasts, place, all(':focus'))
  const least = leastOf(place)
  const lift =
    liftOf(place, least, [...off, ...toCopy, ...arrived]) ??
    liftOf(place, least, [...off, ...toCopy]) ??
    (toCopy.length > 0 ? liftOf(place, least, [...toCopy, ...focused]) : undefined) ??
    liftOf(place, least, off) ??
    liftOf(place, least, focused) ??
    // At the top, where not all of it is below them: in a low window they are at most half as high.
    (focused.some((at) => at.top > place.top - least) ? place.top : least)
  toasts.style.translate = `0 ${-lift}px`
}

/** How far from the window's edges the browser scrolls what gets the focus: clear of where toasts are unless lifted. */
function clearOf({ top, bottom, height }: DOMRect): string {
  if (height === 0) return ''
  const below = innerHeight - bottom
  // On top of a card.
  return top < below ? `${bottom + gap}px 0` : `0 ${innerHeight - top + gap}px`
}

/** The places of those elements that are shown between the left and the right edge of the toasts. */
function beside(
  toasts: HTMLElement,
  { left, right }: DOMRect,
  all: readonly (HTMLElement | null)[],
): readonly DOMRect[] {
  return all
    .filter((each) => each !== null)
    .filter((each) => each.checkVisibility() && !toasts.contains(each))
    .map((each) => each.getBoundingClientRect())
    .filter((at) => at.left < right && at.right > left)
}

/** How far the toasts are lifted at least: off a keyboard on the screen. */
function leastOf({ bottom }: DOMRect): number {
  const { offsetTop, height } = visualViewport ?? { offsetTop: 0, height: innerHeight }
  return Math.max(0, bottom + gap - offsetTop - height)
}

function liftOf({ top, bottom }: DOMRect, least: number, off: readonly DOMRect[]) {
  let lift = least
  while (lift <= top) {
    const covered = off.find((at) => isOver({ top: top - lift, bottom: bottom - lift }, at))
    if (!covered) return lift
    lift = bottom - covered.top + gap
  }
  return undefined
}

/** Whether these overlap from top to bottom. */
function isOver(place: Pick<DOMRect, 'top' | 'bottom'>, at: DOMRect): boolean {
  return at.top < place.bottom && at.bottom > place.top
}
