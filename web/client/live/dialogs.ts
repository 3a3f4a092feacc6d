import type { Client } from '../core/client-api.ts'
import { liftToasts } from './lift-toasts.ts'

/** Opens the dialog that a `data-opens` button stands for. The browser closes it, and gives the focus back. */
export function openDialog({ target }: Event, client: Client): void {
  const button = (target as Element).closest<HTMLElement>('[data-opens]')
  const dialog = button && document.getElementById(button.dataset.opens ?? '')
  if (!(dialog instanceof HTMLDialogElement) || dialog.open) return
  // Its form is on its way: success would close the dialog as somebody types in it.
  if (dialog.querySelector('[aria-busy="true"]')) return
  dropErrors(dialog, client)
  dialog.showModal()
  const field = dialog.querySelector('input:not([type=hidden]),select,textarea')
  // The button that closes it has the focus: Enter pressed twice must do nothing that cannot be undone.
  if (!field) dialog.querySelector<HTMLElement>('[formmethod=dialog]')?.focus()
  // What is typed takes the place of what stands there, as where Tab leads to it.
  if (field instanceof HTMLInputElement) field.select()
  placeToasts()
}

/** Opens the dialog of a form that failed, where a new document tells of that: what is wrong stands in it. */
export function openFailed(): void {
  const dialog = document.querySelector<HTMLDialogElement>('details[open] + dialog')
  // Whoever was quicker types elsewhere by now.
  if (!dialog || dialog.open || document.activeElement !== document.body) return
  dialog.showModal()
  dialog.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  placeToasts()
}

/** Closes the dialog around a form that is reset: it was sent, and the page stays. */
export function closeWithForm({ target }: Event): void {
  ;(target as Element).closest('dialog')?.close()
  // At once: what the form led to is told next.
  placeToasts()
}

/** Resets the forms of a dialog that was closed, and drops what was wrong with them: it opens again as it was first. */
export function forgetTyped({ target }: Event, client: Client): void {
  placeToasts()
  // A key that was quicker than this event has opened it again: a reset would close it.
  if (!(target instanceof HTMLDialogElement) || target.open) return
  // As the person would: what was typed in the clear is not so the next time.
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

/** Empties an announcement before it is moved: it was heard where it stood, and would be read once more. */
function move(telling: Element, to: Element): void {
  if (telling.id === 'announce') telling.textContent = ''
  to.append(telling)
}

let telling: readonly Element[] | undefined

/**
 * Has toasts and what is announced told in the dialog that is open, since all else of the page can be neither pressed nor
 * heard then; and in the page again once it is closed, or was taken away as it was open.
 */
export function placeToasts(): void {
  telling ??= [...document.querySelectorAll('#toasts,#announce')]
  const place = document.querySelector('dialog:modal') ?? document.body
  for (const each of telling) if (each.parentElement !== place) move(each, place)
  liftToasts()
}
