/** Toggles the password field of a `data-show-password` button. */
export function showPassword({ target }: Event): void {
  const button = (target as Element).closest<HTMLElement>('[data-show-password]')
  if (button) setShown(button, button.ariaPressed !== 'true')
}

/** Hides every password of a form, so that the browser does not save one as text for autocompletion. */
export function hidePasswords(form: HTMLFormElement): void {
  for (const button of form.querySelectorAll<HTMLElement>('[data-show-password]'))
    setShown(button, false)
}

function setShown(button: HTMLElement, isShown: boolean): void {
  const field = document.getElementById(
    button.dataset.showPassword ?? '',
  ) as HTMLInputElement | null
  if (field) field.type = isShown ? 'text' : 'password'
  button.ariaPressed = String(isShown)
}
