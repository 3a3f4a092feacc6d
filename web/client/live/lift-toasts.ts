const pressed = 'a, button, input, select, textarea, label, summary, [tabindex="0"]'
/** In CSS pixels. */
const gap = 8

/** Keeps toasts off what is pressed, as they come and go and as the page moves under them. */
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
 * Lifts toasts to the lowest place of the window where they cover nothing that is pressed, nor lie below a keyboard on the
 * screen. Where there is no such place they stay at its end: what is there can be scrolled from under them.
 */
export function liftToasts(): void {
  const toasts = document.querySelector<HTMLElement>('#toasts')
  if (!toasts) return
  toasts.style.translate = ''
  const place = toasts.getBoundingClientRect()
  if (place.height > 0)
    toasts.style.translate = `0 ${-liftOf(place, pressedBeside(toasts, place))}px`
}

/** What is pressed in the same stretch of the window, of a dialog that is open or else of the page. */
function pressedBeside(toasts: HTMLElement, { left, right }: DOMRect): readonly DOMRect[] {
  const all = toasts.parentElement?.querySelectorAll(pressed) ?? []
  return [...all]
    .filter((each) => each.checkVisibility() && !toasts.contains(each))
    .map((each) => each.getBoundingClientRect())
    .filter((at) => at.left < right && at.right > left)
}

function liftOf({ top, bottom }: DOMRect, pressed: readonly DOMRect[]): number {
  const { offsetTop, height } = visualViewport ?? { offsetTop: 0, height: innerHeight }
  const least = Math.max(0, bottom + gap - offsetTop - height)
  let lift = least
  while (lift <= top) {
    const covered = pressed.find((at) => at.top < bottom - lift && at.bottom > top - lift)
    if (!covered) return lift
    lift = bottom - covered.top + gap
  }
  return least
}
