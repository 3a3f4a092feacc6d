import { appearanceKey } from '../core/before-paint.ts'

/** Applies the selected `data-appearance` radio to this browser; other tabs follow. */
export function followChoice({ target }: Event): void {
  const input = target as HTMLInputElement
  if (!input.matches('[data-appearance]')) return
  localStorage.setItem(appearanceKey, input.value)
  // The browser dispatches the event in other tabs only.
  dispatchEvent(new Event('storage'))
}

/** Checks the `data-appearance` radio of this browser's choice. */
export function showChoice(): void {
  const kept = localStorage.getItem(appearanceKey)
  const inputs = [...document.querySelectorAll<HTMLInputElement>('input[data-appearance]')]
  const chosen = inputs.find(({ value }) => value === kept)
  const input = chosen ?? inputs.find(({ value }) => value === 'system')
  if (input) input.checked = true
}
