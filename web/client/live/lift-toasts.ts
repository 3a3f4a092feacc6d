const pressed = 'a, button, input, select, textarea, label, summary, [tabindex="0"]'
/** In CSS pixels. */
const gap = 8

/** Keeps toasts off what is pressed or copied, as they come and go and as the page moves under them. */
export function followToasts(): void {
  const toasts = document.querySelector<HTMLElement>('#toasts')
  if (!toasts) return
  toasts.dataset.lifted = ''
  new MutationObserver(liftToasts).observe(toasts, { childList: true, subtree: true })
  // Safari before 26.2 has no scrollend.
  addEventListener('onscrollend' in window ? 'scrollend' : 'scroll', liftToasts)
  addEventListener('resize', liftToasts)
  visualViewport?.addEventListener('resize', liftToasts)
}

/**
 * Lifts toasts to the lowest place of the window where they cover nothing that is pressed or to be copied, nor lie below a
 * keyboard on the screen. Where there is none, what is to be copied comes first: it may be shown only now. Where there is no
 * such place either they stay at its end: what is there can be scrolled from under them.
 */
export function liftToasts(): void {
  const toasts = document.querySelector<HTMLElement>('#toasts')
  if (!toasts) return
  toasts.style.translate = ''
  const place = toasts.getBoundingClientRect()
  if (place.height === 0) return
  const all = (selector: string) => [
    ...(toasts.parentElement?.querySelectorAll<HTMLElement>(selector) ?? []),
  ]
  const off = beside(toasts, place, all(pressed))
  const copied = all('[data-copy]').flatMap((button) => [
    button,
    document.getElementById(button.dataset.copy ?? ''),
  ])
  const toCopy = beside(toasts, place, copied)
  const least = leastOf(place)
  const lift =
    liftOf(place, least, [...off, ...toCopy]) ??
    (toCopy.length > 0 ? liftOf(place, least, toCopy) : undefined) ??
    liftOf(place, least, off) ??
    least
  toasts.style.translate = `0 ${-lift}px`
}

/** Where what is shown stands in the same stretch of the window. */
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

/** By how much they are lifted off a keyboard on the screen. */
function leastOf({ bottom }: DOMRect): number {
  const { offsetTop, height } = visualViewport ?? { offsetTop: 0, height: innerHeight }
  return Math.max(0, bottom + gap - offsetTop - height)
}

function liftOf({ top, bottom }: DOMRect, least: number, off: readonly DOMRect[]) {
  let lift = least
  while (lift <= top) {
    const covered = off.find((at) => at.top < bottom - lift && at.bottom > top - lift)
    if (!covered) return lift
    lift = bottom - covered.top + gap
  }
  return undefined
}
