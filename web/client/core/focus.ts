import { region } from './region.ts'

/** Moves the focus to the field that asks for it, or to the main heading, as a page load would have. */
export function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>('h1')
  if (heading) heading.tabIndex = -1
  const first = document.querySelector<HTMLElement>('#app [autofocus]') ?? heading
  first?.focus({ preventScroll: true })
}

/** Moves the focus to the first field with an error; false if there is none. */
export function focusInvalid(): boolean {
  const field = document.querySelector<HTMLElement>('[aria-invalid="true"]')
  field?.focus()
  return field !== null
}

/** Has a screen reader say it. The region has to be there before: say nothing first. */
export function announce(text: string): void {
  const announcer = region('announce', 'visually-hidden')
  announcer.ariaLive = 'polite'
  announcer.textContent = text
}
