import { reload as reloadPage } from './reload/reload.ts'
import type { Client } from './core/client-api.ts'

let isStarted = false

/** Brings the codes of the shown page to life: what `markup.md` says of them. Once for each page. */
export function enliven(client: Client): void {
  if (isStarted) return
  isStarted = true
  document.addEventListener('input', submitWhole)
  // Captured, since `toggle` does not bubble.
  document.addEventListener('toggle', ({ target }) => focusField(target as Element), {
    capture: true,
  })
  // Also what was opened or filled in before this module came: by a quick person, or by the browser.
  for (const opened of document.querySelectorAll('details')) focusField(opened)
  for (const target of document.querySelectorAll('[data-submit-at]')) submitWhole({ target })
  document.addEventListener('click', (event) => {
    const button = (event.target as Element).closest('button')
    if (!button) return
    const { reload, copy, download, print } = button.dataset
    // Not `client.reload`, which loads its module first: if the network is gone by then, it would leave the page.
    if (reload) void client.withProgress(() => reloadPage(client, { only: reload.split(' ') }))
    if (copy) void copyText(client, button, shownIn(copy))
    if (download) save(textOf(shownIn(download)), button.dataset.name ?? '')
    if (print !== undefined) window.print()
  })
}

/** Sends the form of a `data-submit-at` field once it holds its digits. */
function submitWhole({ target }: Pick<Event, 'target'>): void {
  if (!(target instanceof HTMLInputElement)) return
  const { form, value, dataset } = target
  const digits = value.replace(/[\s\p{Cf}]/gu, '')
  if (digits.length !== Number(dataset.submitAt) || /\D/.test(digits)) return
  form?.requestSubmit(form.querySelector<HTMLElement>('button:not([type="button"])'))
}

/** Moves the focus to the first field of a `data-fields` that is open. */
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
    // Without HTTPS, or where the browser forbids it: the text is selected, and the person copies it.
    getSelection()?.selectAllChildren(from)
    toast('error', dataset.failed ?? '')
  }
}

function save(text: string, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([`${text}\n`], { type: 'text/plain' }))
  link.download = name
  link.click()
  // Not at once: Safari begins to read it later, and would save nothing (WebKit bug 211234).
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
