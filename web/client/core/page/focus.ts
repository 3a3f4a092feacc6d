import { region } from './region.ts'

/** Focuses the field with `autofocus`, else the first empty field, else the heading in the given part. */
export function focusHeading(of: ParentNode): void {
  const heading = of.querySelector<HTMLElement>('h1,h2')
  if (heading) heading.tabIndex = -1
  focus(document.querySelector<HTMLElement>('#app [autofocus]') ?? firstEmpty() ?? heading)
}

/** Focuses the first empty field of a newly loaded document, unless something has the focus already. */
export function focusFirst(): void {
  if (document.activeElement === document.body) focus(firstEmpty())
}

/** Returns the first empty field of a card; none where the on-screen keyboard would cover the page. */
function firstEmpty(): HTMLElement | undefined {
  if (!matchMedia('(hover:hover) and (pointer:fine)').matches) return undefined
  const fields = document.querySelectorAll<HTMLInputElement>('.card .field input')
  return [...fields].find(({ value }) => !value)
}

// Without scrolling: the heading is in view already.
function focus(element: HTMLElement | null | undefined): void {
  element?.focus({ preventScroll: true })
}

let announcer: HTMLElement | undefined

/** Announces a text to screen readers. The live region must exist before: announce an empty text first. */
export function announce(text: string): void {
  // Cached: the region may be inside a dialog that was removed from the document.
  announcer ??= region('announce', 'visually-hidden')
  announcer.ariaLive = 'polite'
  announcer.textContent = text
}
