/**
 * Moves the focus to the first field that is to be typed anew after a form failed; false if there is none. A wrong
 * password is emptied, and a wrong code selected: the next digits take its place.
 */
export function focusInvalid(): boolean {
  const field = wrongField()
  if (!field) return false
  if (field.autocomplete === 'current-password') field.value = ''
  field.focus()
  if (field.name.includes('code')) field.select()
  return true
}

function wrongField(): HTMLInputElement | null {
  const field = document.querySelector<HTMLInputElement>('[aria-invalid="true"]')
  // An email that could be one does not go with its password: that is what is mistyped, and cannot be seen.
  if (!field?.autocomplete.startsWith('username') || !field.validity.valid) return field
  return field.form?.querySelector<HTMLInputElement>('[autocomplete="current-password"]') ?? field
}
