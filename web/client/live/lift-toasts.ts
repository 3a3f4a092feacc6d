const pressed = 'a, button, input, select, textarea, label, summary, [tabindex="0"]'
/** In CSS pixels. */
const gap = 8

/** Keeps toasts off what can be pressed or copied, has arrived or has the focus, whenever any of these changes. */
export function followToasts(): void {
  const toasts = document.querySelector<HTMLElement>('#toasts')
  if (!toasts) return
  toasts.dataset.lifted = ''
  // Whoever has scrolled on since it came is left there.
  let arrivedBefore: HTMLElement | null = null
  const change = (changes: readonly MutationRecord[]) => {
    liftToasts()
    const come = changes.flatMap(({ addedNodes }) => [...addedNodes]).at(-1)
    if (!(come instanceof HTMLElement)) return
    // To the toast that has come: in a low window not all toasts are in sight.
    toasts.scrollTop = come.offsetTop
    // If the toasts still cover what has the focus, or what has arrived with them, that is scrolled clear of them.
    const arrived = document.querySelector<HTMLElement>('[data-arrived]')
    for (const each of [document.querySelector<HTMLElement>(':focus'), arrived]) {
      const place = toasts.getBoundingClientRect()
      const isCovered = beside(toasts, place, [each]).some((at) => isOver(place, at))
      if (isCovered && (each !== arrived || arrived !== arrivedBefore))
        each?.scrollIntoView({ block: 'nearest' })
    }
    arrivedBefore = arrived
  }
  new MutationObserver(change).observe(toasts, { childList: true, subtree: true })
  const focus = ({ target }: FocusEvent) => {
    // Not for a button in a toast: it must not move from under the pointer. In the next frame the browser has
    // scrolled to what got the focus.
    if (!toasts.contains(target as Element)) requestAnimationFrame(liftToasts)
  }
  document.addEventListener('focusin', focus)
  // Safari before 26.2 has no scrollend.
  addEventListener('onscrollend' in window ? 'scrollend' : 'scroll', liftToasts)
  addEventListener('resize', liftToasts)
  visualViewport?.addEventListener('resize', liftToasts)
}

/**
 * Lifts toasts, at least above a keyboard on the screen, to the lowest place where they cover nothing that can be
 * pressed or copied, nor what has arrived. If there is no such place they may cover, in this order: what has arrived;
 * what can be pressed, but neither what can be copied, which may be shown only now, nor what has the focus; what can be
 * copied; all but what has the focus. If no place is clear of that either, they stay low, or at the top if it begins
 * further down: the page can be scrolled from under them.
 */
export function liftToasts(): void {
  const toasts = document.querySelector<HTMLElement>('#toasts')
  if (!toasts) return
  toasts.style.translate = ''
  const place = toasts.getBoundingClientRect()
  document.documentElement.style.scrollPaddingBlock = clearOf(place)
  if (place.height === 0) return
  const elements = (selector: string) => [
    ...(toasts.parentElement?.querySelectorAll<HTMLElement>(selector) ?? []),
  ]
  const off = beside(toasts, place, elements(pressed))
  const copied = elements('[data-copy]').flatMap((button) => [
    button,
    document.getElementById(button.dataset.copy ?? ''),
  ])
  // A phone or another device copies it with its camera.
  copied.push(...elements('.qr'))
  const arrived = beside(toasts, place, elements('[data-arrived] > *'))
  const toCopy = beside(toasts, place, copied)
  const focused = beside(toasts, place, elements(':focus'))
  const least = leastOf(place)
  const lift =
    liftOf(place, least, [...off, ...toCopy, ...arrived]) ??
    liftOf(place, least, [...off, ...toCopy]) ??
    (toCopy.length > 0 ? liftOf(place, least, [...toCopy, ...focused]) : undefined) ??
    liftOf(place, least, off) ??
    liftOf(place, least, focused) ??
    // At the top of the window if what has the focus begins further down: toasts fill at most half of a low
    // window.
    (focused.some((at) => at.top > place.top - least) ? place.top : least)
  toasts.style.translate = `0 ${-lift}px`
}

/** How far from the window's edges the browser keeps what gets the focus: clear of where unlifted toasts are. */
function clearOf({ top, bottom, height }: DOMRect): string {
  if (height === 0) return ''
  const below = innerHeight - bottom
  // Above a card toasts are at the top of the window.
  return top < below ? `${bottom + gap}px 0` : `0 ${innerHeight - top + gap}px`
}

/** The places of those visible elements that reach between the left and the right edge of the toasts. */
function beside(
  toasts: HTMLElement,
  { left, right }: DOMRect,
  elements: readonly (HTMLElement | null)[],
): readonly DOMRect[] {
  return elements
    .filter((each) => each !== null)
    .filter((each) => each.checkVisibility() && !toasts.contains(each))
    .map((each) => each.getBoundingClientRect())
    .filter((at) => at.left < right && at.right > left)
}

/** How far the toasts are lifted at least: above a keyboard on the screen. */
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
