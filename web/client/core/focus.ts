import { region } from './region.ts'

/**
 * Moves the focus to the field with `autofocus`, else to the field that the person begins with, else to the heading of
 * the page, or of the part of it that was asked for.
 */
export function focusHeading(of: ParentNode): void {
  const heading = of.querySelector<HTMLElement>('h1,h2')
  if (heading) heading.tabIndex = -1
  focus(document.querySelector<HTMLElement>('#app [autofocus]') ?? firstEmpty() ?? heading)
}

/** Moves the focus to the field that the person begins with, on the page of a new document; unless something has it. */
export function focusFirst(): void {
  if (document.activeElement === document.body) focus(firstEmpty())
}

/** The first empty field of a card. None where a keyboard on the screen would cover the page. */
function firstEmpty(): HTMLElement | undefined {
  if (!matchMedia('(hover:hover) and (pointer:fine)').matches) return undefined
  const fields = document.querySelectorAll<HTMLInputElement>('.card .field input')
  return [...fields].find(({ value }) => !value)
}

// Without a scroll: the heading is where it can be seen.
function focus(element: HTMLElement | null | undefined): void {
  element?.focus({ preventScroll: true })
}

let announcer: HTMLElement | undefined

/** Has a screen reader say a text. It has to know the region before: announce an empty text first. */
export function announce(text: string): void {
  // Not looked up again: it may be in a dialog that was taken out of the page.
  announcer ??= region('announce', 'visually-hidden')
  announcer.ariaLive = 'polite'
  announcer.textContent = text
}
