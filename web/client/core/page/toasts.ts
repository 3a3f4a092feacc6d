import { clientWords } from '#words/client/client'
import { region } from './region.ts'

type Kind = 'success' | 'error'

const goneAfterMs = 8000

/** The live regions for toasts of each kind. */
let regions: Readonly<Record<Kind, HTMLElement>>

/** Creates the regions: screen readers only announce regions they know already. */
export function makeToasts(): void {
  regions = { success: liveRegion('status'), error: liveRegion('alert') }
  region('toasts').append(regions.success, regions.error)
}

/**
 * Shows a toast. A success disappears by itself, unless hovered or focused; an error stays until it is
 * dismissed or the person acts again.
 */
export function toast(kind: Kind, text: string): void {
  for (const there of regions[kind].children)
    if (there.firstChild?.textContent === text) there.remove()
  const element = document.createElement('div')
  element.className = 'toast'
  element.dataset.kind = kind
  const paragraph = document.createElement('p')
  paragraph.textContent = text
  const dismiss = document.createElement('button')
  dismiss.textContent = '×'
  dismiss.ariaLabel = clientWords.dismiss
  dismiss.addEventListener('click', () => element.remove())
  element.append(paragraph, dismiss)
  regions[kind].append(element)
  if (kind === 'success') removeLater(element)
}

export function dismissErrors(): void {
  regions.error.replaceChildren()
}

function removeLater(element: HTMLElement): void {
  setTimeout(() => {
    if (element.matches(':hover,:focus-within')) removeLater(element)
    else element.remove()
  }, goneAfterMs)
}

function liveRegion(role: string): HTMLElement {
  const element = document.createElement('div')
  element.role = role
  // So that a screen reader announces only the new toast, not all of them.
  element.ariaAtomic = 'false'
  return element
}
