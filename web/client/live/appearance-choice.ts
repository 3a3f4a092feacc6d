import type { Client } from '../core/client-api.ts'

const key = 'appearance'

/** Makes a chosen `data-appearance` this browser's appearance (contract: Local storage key); other tabs follow. */
export function followChoice(
  { target }: Event,
  { applyAppearance }: Pick<Client, 'applyAppearance'>,
): void {
  const input = target as HTMLInputElement
  if (!input.matches('[data-appearance]')) return
  localStorage.setItem(key, input.value)
  applyAppearance()
}

/** Checks the `data-appearance` of the page that is this browser's choice. */
export function showChoice(): void {
  const kept = localStorage.getItem(key)
  const inputs = [...document.querySelectorAll<HTMLInputElement>('input[data-appearance]')]
  const chosen = inputs.find(({ value }) => value === kept)
  const input = chosen ?? inputs.find(({ value }) => value === 'system')
  if (input) input.checked = true
}
