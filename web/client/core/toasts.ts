import { clientWords } from '#words/client'
import { region } from './region.ts'

type Kind = 'success' | 'error'

const goneAfterMs = 8000

/** The live regions that toasts of each kind are shown in, and read out from. */
let regions: Readonly<Record<Kind, HTMLElement>>

/** Makes the regions; a screen reader has to know them before they speak. */
export function makeToasts(): void {
  regions = { success: speaking('status'), error: speaking('alert') }
  region('toasts').append(regions.success, regions.error)
}

/**
 * Shows a toast. A success goes by itself, but not under the pointer or with the focus; an error stays until it is
 * dismissed, or the person does the next thing.
 */
export function toast(kind: Kind, text: string): void {
  for (const there of regions[kind].children)
    if (there.firstChild?.textContent === text) there.remove()
  const shown = document.createElement('div')
  shown.className = 'toast'
  shown.dataset.kind = kind
  const said = document.createElement('p')
  said.textContent = text
  const dismiss = document.createElement('button')
  dismiss.textContent = '×'
  dismiss.ariaLabel = clientWords.dismiss
  dismiss.addEventListener('click', () => shown.remove())
  shown.append(said, dismiss)
  regions[kind].append(shown)
  if (kind === 'success') goByItself(shown)
}

export function dismissErrors(): void {
  regions.error.replaceChildren()
}

function goByItself(shown: HTMLElement): void {
  setTimeout(() => {
    if (shown.matches(':hover,:focus-within')) goByItself(shown)
    else shown.remove()
  }, goneAfterMs)
}

function speaking(role: string): HTMLElement {
  const element = document.createElement('div')
  element.role = role
  // Of several toasts a screen reader says only the one that has come.
  element.ariaAtomic = 'false'
  return element
}
