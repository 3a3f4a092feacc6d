type Errors = Readonly<Record<string, string>>

/**
 * Moves the focus to the first field that is to be typed anew after a form failed; false if there is none. A wrong
 * password is emptied, and a wrong code selected: the next digits take its place. Errors that stood there `before` are
 * announced, unless the focus comes to one.
 */
export function focusInvalid(
  announce: (text: string) => void,
  before: Errors,
  now: Errors,
): boolean {
  const field = wrongField()
  if (!field) return false
  const isTold = field !== document.activeElement && field.ariaInvalid === 'true'
  if (!isTold) announceSame(announce, before, now)
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

/** Where nothing changes nothing is said of it. */
function announceSame(announce: (text: string) => void, before: Errors, now: Errors): void {
  const same = Object.keys(now).filter((field) => before[field] === now[field])
  if (same.length > 0) announce([...new Set(same.map((field) => now[field]))].join(' '))
}
