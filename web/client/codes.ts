import { reload as reloadPage } from './reload/reload.ts'
import type { Client } from './core/client-api.ts'

let isStarted = false

/** Attaches the behaviour of codes described in `markup.md`. Called once per page. */
export function enliven(client: Client): void {
  if (isStarted) return
  isStarted = true
  document.addEventListener('input', submitWhole)
  // Captured, since `toggle` does not bubble.
  document.addEventListener('toggle', ({ target }) => focusField(target as Element), {
    capture: true,
  })
  // Also what was opened or filled in before this module was loaded, by a person or by the browser.
  for (const opened of document.querySelectorAll('details')) focusField(opened)
  for (const target of document.querySelectorAll('[data-submit-at]')) submitWhole({ target })
  document.addEventListener('click', (event) => {
    const button = (event.target as Element).closest('button')
    if (!button) return
    const { reload, copy, download, print } = button.dataset
    // Not `client.reload`, which loads its module first: with the network gone, it would leave the page.
    if (reload) void client.withProgress(() => reloadPage(client, { only: reload.split(' ') }))
    if (copy) void copyText(client, button, shownIn(copy))
    if (download) save(textOf(shownIn(download)), button.dataset.name ?? '')
    if (print !== undefined) window.print()
  })
}

/** Submits the form of a `data-submit-at` field once it holds all digits. */
function submitWhole({ target }: Pick<Event, 'target'>): void {
  if (!(target instanceof HTMLInputElement)) return
  const { form, value, dataset } = target
  const digits = value.replace(/[\s\p{Cf}]/gu, '')
  if (digits.length !== Number(dataset.submitAt) || /\D/.test(digits)) return
  form?.requestSubmit(form.querySelector<HTMLElement>('button:not([type="button"])'))
}

/** Focuses the first field of an open `data-fields`. */
function focusField(details: Element): void {
  if (details.matches('[data-fields][open]')) details.querySelector('input')?.focus()
}

async function copyText(
  { toast }: Pick<Client, 'toast'>,
  { dataset }: HTMLElement,
  from: HTMLElement,
): Promise<void> {
  try {
    await navigator.clipboard.writeText(textOf(from))
    toast('success', dataset.done ?? '')
  } catch {
    // Without HTTPS, or forbidden by the browser: the text is selected for the person to copy.
    getSelection()?.selectAllChildren(from)
    toast('error', dataset.failed ?? '')
  }
}

function save(text: string, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([`${text}\n`], { type: 'text/plain' }))
  link.download = name
  link.click()
  // Delayed: Safari starts to read it later, and would save nothing (WebKit bug 211234).
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

function textOf({ dataset, innerText }: HTMLElement): string {
  return dataset.text ?? innerText
}

function shownIn(id: string): HTMLElement {
  const element = document.getElementById(id)
  if (element) return element
  throw new Error(`There is no element ${id} whose text could be taken.`)
}
