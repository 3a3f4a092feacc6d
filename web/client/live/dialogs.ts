import type { Client } from '../core/client-api.ts'
import { liftToasts } from './lift-toasts.ts'

/** Opens the dialog of a `data-opens` button. The browser closes it, and restores the focus. */
export function openDialog({ target }: Event, client: Client): void {
  const button = (target as Element).closest<HTMLElement>('[data-opens]')
  const dialog = button && document.getElementById(button.dataset.opens ?? '')
  if (!(dialog instanceof HTMLDialogElement) || dialog.open) return
  // Its form is in flight: a success would close the dialog while the person types in it.
  if (dialog.querySelector('[aria-busy="true"]')) return
  dropErrors(dialog, client)
  dialog.showModal()
  const field = dialog.querySelector('input:not([type=hidden]),select,textarea')
  // Focuses the button that closes the dialog: a second Enter must not do what cannot be undone.
  if (!field) dialog.querySelector<HTMLElement>('[formmethod=dialog]')?.focus()
  // Selected, as by Tab: typing replaces the text.
  if (field instanceof HTMLInputElement) field.select()
  placeToasts()
}

/** Opens the dialog of a form that failed in a new document: the dialog holds the errors. */
export function openFailed(): void {
  const dialog = document.querySelector<HTMLDialogElement>('details[open] + dialog')
  // Unless the person is already typing elsewhere.
  if (!dialog || dialog.open || document.activeElement !== document.body) return
  dialog.showModal()
  dialog.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  placeToasts()
}

/** Closes the dialog around a form that was reset: it was sent, and the page stays. */
export function closeWithForm({ target }: Event): void {
  ;(target as Element).closest('dialog')?.close()
  // Immediately: the toast of the form's result comes next.
  placeToasts()
}

/** Resets the forms of a closed dialog and drops their errors: it reopens in its initial state. */
export function forgetTyped({ target }: Event, client: Client): void {
  placeToasts()
  // The dialog was reopened before this event: a reset would close it.
  if (!(target instanceof HTMLDialogElement) || target.open) return
  // Hides shown passwords, so that they are hidden when the dialog reopens.
  for (const button of target.querySelectorAll<HTMLElement>(
    '[data-show-password][aria-pressed=true]',
  ))
    button.click()
  for (const form of target.querySelectorAll('form')) form.reset()
  dropErrors(target, client)
}

/**
 * Redraws the page without the errors in a dialog, and the refused text; does nothing if the errors are another form's.
 */
function dropErrors(dialog: HTMLDialogElement, { show, shown }: Client): void {
  if (!dialog.querySelector('[aria-invalid=true],[role=alert]>*')) return
  const page = shown()
  const { old: _old, ...props } = page.props
  // The next page is about to be drawn, and has no errors.
  if (Object.keys(props.errors).length === 0) return
  void show({ ...page, props: { ...props, errors: {} } }, { entry: 'same', at: 'stay' })
}

/** Moves toasts or the announcer; the latter is emptied, or it would be read out again. */
function move(telling: Element, to: Element): void {
  if (telling.id === 'announce') telling.textContent = ''
  to.append(telling)
}

let telling: readonly Element[] | undefined

/**
 * Moves toasts and the announcer into the open dialog, since the rest of the page is inert then. Moves them
 * back once the dialog is closed, or removed while open.
 */
export function placeToasts(): void {
  telling ??= [...document.querySelectorAll('#toasts,#announce')]
  const place = document.querySelector('dialog:modal') ?? document.body
  for (const each of telling) if (each.parentElement !== place) move(each, place)
  liftToasts()
}
