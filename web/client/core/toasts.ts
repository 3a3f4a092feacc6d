import { clientWords } from '#words/client'
import { region } from './region.ts'

type Kind = 'success' | 'error'

const roles = { success: 'status', error: 'alert' }
const goneAfterMs = 8000

/** Makes the two regions that toasts are told in; a screen reader has to know them before they speak. */
export function makeToasts(): void {
  const toasts = region('toasts', 'toasts')
  for (const role of Object.values(roles)) {
    const speaking = made('div')
    speaking.role = role
    toasts.append(speaking)
  }
}

/** Shows a toast. A success goes by itself, unless it is being read; an error stays until it is dismissed. */
export function toast(kind: Kind, text: string): void {
  const told = document.querySelector(`#toasts [role=${roles[kind]}]`)
  for (const there of told?.children ?? [])
    if (there.firstChild?.textContent === text) there.remove()
  const shown = made('div', 'toast')
  shown.dataset.kind = kind
  const said = made('p')
  said.textContent = text
  const dismiss = made('button')
  dismiss.textContent = '×'
  dismiss.ariaLabel = clientWords.dismiss
  dismiss.addEventListener('click', () => shown.remove())
  shown.append(said, dismiss)
  told?.append(shown)
  if (kind === 'success') goByItself(shown)
}

function goByItself(shown: HTMLElement): void {
  setTimeout(() => {
    if (shown.matches(':hover,:focus-within')) goByItself(shown)
    else shown.remove()
  }, goneAfterMs)
}

function made<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, className = '') {
  const element = document.createElement(tag)
  element.className = className
  return element
}
