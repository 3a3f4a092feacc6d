import type { Page } from '../../contract/pages.ts'

type Errors = Page['props']['errors']

const typedSince = new WeakSet<EventTarget>()

// Both hear their event before the client, which marks a form as in flight then. Such a form is not sent again.
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

/** Notes which fields were changed after their form was sent, when this module came only later. */
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
 * Moves the focus to the first field that is to be typed anew after a form failed; false if there is none. A wrong
 * password is emptied, and a wrong code is selected, so that the next digits replace it; neither if it was changed
 * since it was sent. Errors that were on the page `before` too are announced, unless the focus comes to a field with an
 * error.
 */
export function focusInvalid(announce: (text: string) => void, page: Page, before?: Page): boolean {
  const field = wrongField()
  if (!field) return false
  const isTold = field !== document.activeElement && field.ariaInvalid === 'true'
  if (!isTold && before) announceSame(announce, before.props.errors, page.props.errors)
  const isWrong = !typedSince.has(field)
  if (isWrong && field.autocomplete === 'current-password') field.value = ''
  field.focus()
  // With label and error: the browser scrolls only to the field itself, and not if that has the focus already.
  field.closest('.field')?.scrollIntoView({ block: 'nearest' })
  if (isWrong && field.name.includes('code')) field.select()
  return true
}

function wrongField(): HTMLInputElement | null {
  const field = document.querySelector<HTMLInputElement>('[aria-invalid="true"]')
  // The email is well-formed, so its error is that the password does not match: that is what is typed anew.
  if (!field?.autocomplete.startsWith('username') || !field.validity.valid) return field
  return field.form?.querySelector<HTMLInputElement>('[autocomplete="current-password"]') ?? field
}

/** Announces errors that stay as they were: a screen reader says nothing of what does not change. */
function announceSame(announce: (text: string) => void, before: Errors, now: Errors): void {
  const same = Object.keys(now).filter((field) => before[field] === now[field])
  if (same.length === 0) return
  const text = [...new Set(same.map((field) => now[field]))].join(' ')
  // The announcer may hold this very text already: only a change is read out.
  announce(text === document.getElementById('announce')?.textContent ? `${text}\u00A0` : text)
}
