const pressed = 'a, button, input, select, textarea, label, summary, [tabindex="0"]'
/** In CSS pixels. */
const gap = 8

/** Keeps toasts clear of controls, text to copy, new content and the focus, whenever any of these changes. */
export function followToasts(): void {
  const toasts = document.querySelector<HTMLElement>('#toasts')
  if (!toasts) return
  toasts.dataset.lifted = ''
  // Scrolled to only once: the person may have scrolled on since.
  let arrivedBefore: HTMLElement | null = null
  const change = (changes: readonly MutationRecord[]) => {
    liftToasts()
    const come = changes.flatMap(({ addedNodes }) => [...addedNodes]).at(-1)
    if (!(come instanceof HTMLElement)) return
    // To the new toast: in a low window not all toasts are in view.
    toasts.scrollTop = come.offsetTop
    // If the toasts still cover the focused or newly arrived element, it is scrolled clear of them.
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
    // Not for a button in a toast, which must not move from under the pointer. In the next frame, after the
    // browser has scrolled to the focused element.
    if (!toasts.contains(target as Element)) requestAnimationFrame(liftToasts)
  }
  document.addEventListener('focusin', focus)
  // Safari before 26.2 has no scrollend.
  addEventListener('onscrollend' in window ? 'scrollend' : 'scroll', liftToasts)
  addEventListener('resize', liftToasts)
  visualViewport?.addEventListener('resize', liftToasts)
}

/**
 * Moves toasts, at least above an on-screen keyboard, to the lowest place where they cover no control,
 * nothing to copy and nothing that has arrived. If there is none they may cover, in this order: what has
 * arrived; controls, but neither text to copy, which may be shown only now, nor the focus; text to copy; all
 * but the focus. If even that is impossible they stay low, or move to the top if the focus is further down:
 * the page can be scrolled from under them.
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
  // Copied by another device's camera.
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
    // At the top of the window if the focus is further down: toasts fill at most half of a low window.
    (focused.some((at) => at.top > place.top - least) ? place.top : least)
  toasts.style.translate = `0 ${-lift}px`
}

/** Returns the scroll padding that keeps focused elements clear of toasts in their default place. */
function clearOf({ top, bottom, height }: DOMRect): string {
  if (height === 0) return ''
  const below = innerHeight - bottom
  // Above a card, toasts are at the top of the window.
  return top < below ? `${bottom + gap}px 0` : `0 ${innerHeight - top + gap}px`
}

/** Returns the rectangles of those visible elements that overlap the toasts horizontally. */
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

/** Returns the minimal lift: above an on-screen keyboard. */
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

/** Whether two rectangles overlap vertically. */
function isOver(place: Pick<DOMRect, 'top' | 'bottom'>, at: DOMRect): boolean {
  return at.top < place.bottom && at.bottom > place.top
}
