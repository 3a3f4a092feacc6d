import type { Page } from '../../contract/pages.ts'

type Errors = Page['props']['errors']

const typedSince = new WeakSet<EventTarget>()

// Captured, so before the client marks the form as in flight: a form in flight already is not sent again.
const forget = ({ target }: Event) => {
  const form = target as HTMLFormElement
  if (!isInFlight(form)) for (const field of form.elements) typedSince.delete(field)
}
const note = ({ target }: Event) => {
  const field = target as HTMLInputElement
  if (field.form && isInFlight(field.form)) typedSince.add(field)
}
addEventListener('submit', forget, { capture: true })
addEventListener('input', note, { capture: true })

/** Records fields changed after their form was sent but before this module was loaded. */
export function noteTypedSince(sent: FormData | URLSearchParams): void {
  for (const field of document.querySelectorAll<HTMLInputElement>(
    'form:has([aria-busy=true]) input',
  ))
    if (sent.get(field.name) !== field.value) typedSince.add(field)
}

function isInFlight(form: HTMLFormElement): boolean {
  return form.querySelector('[aria-busy="true"]') !== null
}

/**
 * Focuses the first field to retype after a form failed; returns false if there is none. A wrong password is
 * cleared, and a wrong code is selected for overwriting, unless it was changed since it was sent. Errors that
 * were on the page `before` too are announced, unless the focus moves to an invalid field.
 */
export function focusInvalid(announce: (text: string) => void, page: Page, before?: Page): boolean {
  const field = wrongField()
  if (!field) return false
  const isTold = field !== document.activeElement && field.ariaInvalid === 'true'
  if (!isTold && before) announceSame(announce, before.props.errors, page.props.errors)
  const isWrong = !typedSince.has(field)
  if (isWrong && field.autocomplete === 'current-password') field.value = ''
  field.focus()
  // With label and error: focusing scrolls only to the field itself, and not if it has the focus already.
  field.closest('.field')?.scrollIntoView({ block: 'nearest' })
  if (isWrong && field.name.includes('code')) field.select()
  return true
}

function wrongField(): HTMLInputElement | null {
  const field = document.querySelector<HTMLInputElement>('[aria-invalid="true"]')
  // The email is well-formed, so its error means that the password does not match: that must be retyped.
  if (!field?.autocomplete.startsWith('username') || !field.validity.valid) return field
  return field.form?.querySelector<HTMLInputElement>('[autocomplete="current-password"]') ?? field
}

/** Announces unchanged errors, about which a screen reader would otherwise stay silent. */
function announceSame(announce: (text: string) => void, before: Errors, now: Errors): void {
  const same = Object.keys(now).filter((field) => before[field] === now[field])
  if (same.length === 0) return
  const text = [...new Set(same.map((field) => now[field]))].join(' ')
  // The announcer may hold this text already: only a change is read out.
  announce(text === document.getElementById('announce')?.textContent ? `${text}\u00A0` : text)
}
