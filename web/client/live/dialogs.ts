import type { Client } from '../core/client-api.ts'
import { liftToasts } from './lift-toasts.ts'

/** Opens the dialog that a `data-opens` button stands for. The browser closes it, and gives the focus back. */
export function openDialog({ target }: Event, client: Client): void {
  const button = (target as Element).closest<HTMLElement>('[data-opens]')
  const dialog = button && document.getElementById(button.dataset.opens ?? '')
  if (!(dialog instanceof HTMLDialogElement) || dialog.open) return
  // Its form is in flight: a success would close the dialog while somebody types in it.
  if (dialog.querySelector('[aria-busy="true"]')) return
  dropErrors(dialog, client)
  dialog.showModal()
  const field = dialog.querySelector('input:not([type=hidden]),select,textarea')
  // The button that closes the dialog gets the focus: Enter pressed twice must not do what cannot be undone.
  if (!field) dialog.querySelector<HTMLElement>('[formmethod=dialog]')?.focus()
  // Selected, as by Tab: what is typed replaces the text.
  if (field instanceof HTMLInputElement) field.select()
  placeToasts()
}

/** Opens the dialog of a form that failed, in a new document: the errors stand in the dialog. */
export function openFailed(): void {
  const dialog = document.querySelector<HTMLDialogElement>('details[open] + dialog')
  // Not if the person is typing elsewhere already.
  if (!dialog || dialog.open || document.activeElement !== document.body) return
  dialog.showModal()
  dialog.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  placeToasts()
}

/** Closes the dialog around a form that is reset: it was sent, and the page stays. */
export function closeWithForm({ target }: Event): void {
  ;(target as Element).closest('dialog')?.close()
  // At once, since the toast of what the form led to comes next.
  placeToasts()
}

/** Resets the forms of a dialog that was closed, and drops their errors: it opens again as it was at first. */
export function forgetTyped({ target }: Event, client: Client): void {
  placeToasts()
  // The dialog was opened again before this event came: a reset would close it.
  if (!(target instanceof HTMLDialogElement) || target.open) return
  // Covers shown passwords, as the person would: they are not shown when the dialog opens again.
  for (const button of target.querySelectorAll<HTMLElement>(
    '[data-show-password][aria-pressed=true]',
  ))
    button.click()
  for (const form of target.querySelectorAll('form')) form.reset()
  dropErrors(target, client)
}

/** Shows the page without the errors in a dialog; leaves it as it is if the errors are another form's. */
function dropErrors(dialog: HTMLDialogElement, { show, shown }: Client): void {
  if (!dialog.querySelector('[aria-invalid=true],[role=alert]>*')) return
  const page = shown()
  // The next page is about to be drawn, and has no errors.
  if (Object.keys(page.props.errors).length === 0) return
  void show({ ...page, props: { ...page.props, errors: {} } }, { entry: 'same', at: 'stay' })
}

/** Moves toasts or the announcer. The announcement has been read out, and would be once more: it is emptied. */
function move(telling: Element, to: Element): void {
  if (telling.id === 'announce') telling.textContent = ''
  to.append(telling)
}

let telling: readonly Element[] | undefined

/**
 * Puts toasts and the announcer into the dialog that is open: the rest of the page can then neither be pressed nor read
 * out. Puts them back into the page once the dialog is closed, or was removed while it was open.
 */
export function placeToasts(): void {
  telling ??= [...document.querySelectorAll('#toasts,#announce')]
  const place = document.querySelector('dialog:modal') ?? document.body
  for (const each of telling) if (each.parentElement !== place) move(each, place)
  liftToasts()
}
