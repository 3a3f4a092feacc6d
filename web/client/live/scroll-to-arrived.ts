let before: Element | null = null

/** Scrolls to a new `data-arrived` element: what the person asked for may be out of view. */
export function scrollToArrived(): void {
  const element = document.querySelector('[data-arrived]')
  if (element !== before) element?.scrollIntoView({ block: 'nearest' })
  before = element
}
