/** Shows or hides the password that a `data-show-password` button stands for. */
export function showPassword({ target }: Event): void {
  const button = (target as Element).closest<HTMLElement>('[data-show-password]')
  if (button) setShown(button, button.ariaPressed !== 'true')
}

/** Hides every password of a form, so that the browser keeps none as text that was typed before. */
export function hidePasswords(form: HTMLFormElement): void {
  for (const button of form.querySelectorAll<HTMLElement>('[data-show-password]'))
    setShown(button, false)
}

/** Closes the open menus: those that a click is outside of, or all on Escape and on a new page. */
export function closeMenus(event?: Event): void {
  if (event instanceof KeyboardEvent && event.key !== 'Escape') return
  for (const menu of document.querySelectorAll<HTMLDetailsElement>('details[data-menu][open]')) {
    if (event instanceof MouseEvent && menu.contains(event.target as Node)) continue
    const hadFocus = menu.contains(document.activeElement)
    menu.open = false
    // Escape leaves the focus in the menu. A click has moved it by now, and a new page moves it.
    if (hadFocus) menu.querySelector('summary')?.focus()
  }
}

function setShown(button: HTMLElement, shown: boolean): void {
  const field = document.getElementById(
    button.dataset.showPassword ?? '',
  ) as HTMLInputElement | null
  if (field) field.type = shown ? 'text' : 'password'
  button.ariaPressed = String(shown)
}
