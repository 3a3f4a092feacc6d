let before: Element | null = null

/** Scrolls to the `data-arrived` element of the page as it appears: what the person asked for may be out of sight. */
export function scrollToArrived(): void {
  const element = document.querySelector('[data-arrived]')
  if (element !== before) element?.scrollIntoView({ block: 'nearest' })
  before = element
}
