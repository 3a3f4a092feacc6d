import type { Client } from './core/client-api.ts'
import { followPresses, pressEnd } from './press-end.ts'

/** The state of a form's validation. */
interface Check {
  readonly touched: Set<string>
  /** The values that were validated last. */
  values?: string
  /** Whether a field was left again, with these same values, before their answer came. */
  isLeftAgain?: boolean
  stop?: AbortController
}

// Milliseconds. Short, since a reload of the page, by a click or an event, waits for the answer.
const patience = 10_000

type TextField = HTMLInputElement | HTMLTextAreaElement

const checks = new WeakMap<HTMLFormElement, Check>()

let isStarted = false

/** Validates the `data-validate` forms of this page and all later ones. */
export function enliven(client: Client): void {
  if (isStarted) return
  isStarted = true
  followPresses()
  document.addEventListener('focusout', (event) => checkField(client, event))
  document.addEventListener('submit', dropCheck)
  // Also fields filled in and left before this module was loaded, by a person or by the browser.
  for (const target of document.querySelectorAll('[data-validate] input'))
    if (target !== document.activeElement) checkField(client, { target })
}

/** Validates all fields touched so far when a field of a `data-validate` form is left with a new value. */
function checkField(client: Client, { target }: Pick<FocusEvent, 'target'>): void {
  if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return
  const { form, name, type } = target
  if (!form?.hasAttribute('data-validate') || !name || type === 'file') return
  // The form in flight is validated anyway: a later answer about this field would remove the resulting error.
  if (form.querySelector('[aria-busy="true"]')) void checkOnceAnswered(client, form, target)
  else check(client, form, target)
}

function check(client: Client, form: HTMLFormElement, field: TextField): void {
  const check = checks.get(form) ?? { touched: new Set() }
  if (!isChanged(field) && !check.touched.has(field.name)) return
  checks.set(form, check)
  check.touched.add(field.name)
  void client.during(() => run(client, form, check))
}

/** Validates a field changed while its form was in flight: the form's answer is about the value before. */
async function checkOnceAnswered(
  client: Client,
  form: HTMLFormElement,
  field: TextField,
): Promise<void> {
  const before = client.typing.sent?.get(field.name)
  await Promise.allSettled(client.underWay)
  if (form.isConnected && typeof before === 'string' && before !== field.value)
    check(client, form, field)
}

/** Whether a field differs from what the server drew. Checkboxes compare `checked`: their value is fixed. */
function isChanged(field: TextField): boolean {
  if (field instanceof HTMLInputElement && field.checked !== field.defaultChecked) return true
  return field.value !== field.defaultValue
}

/** Cancels the validation of a form that is sent: the server then validates all of it. */
function dropCheck({ target }: Event): void {
  const form = target as HTMLFormElement
  const check = checks.get(form)
  check?.stop?.abort()
  checks.delete(form)
}

async function run(client: Client, form: HTMLFormElement, check: Check): Promise<void> {
  // The press that moved the focus may submit the form, or lead to another page.
  await pressEnd()
  if (checks.get(form) !== check || !form.isConnected) return
  const { ask, show, shown, urlencoded } = client
  const body = urlencoded(new FormData(form))
  const fields = [...check.touched]
  const values = `${fields.join()}&${body}`
  if (values === check.values) {
    check.isLeftAgain = true
    return
  }
  check.values = values
  check.isLeftAgain = false
  check.stop?.abort()
  check.stop = new AbortController()
  const { signal } = check.stop
  const { version, component } = shown()
  const headers = { 'X-Page-Validate-Only': fields.join() }
  const url = form.getAttribute('action') ?? location.href
  const outcome = await ask({ method: 'POST', url, version, headers, body, signal, patience })
  if (outcome.result !== 'checked' && check.values === values) {
    // The values had no answer: they are validated when a field is next left, or now if that has happened.
    delete check.values
    if (check.isLeftAgain) return run(client, form, check)
  }
  // An error that appears or disappears would move what is being pressed.
  await pressEnd()
  const page = shown()
  if (outcome.result !== 'checked' || signal.aborted || page.component !== component) return
  const errors = mergeErrors(page.props.errors, fields, outcome.errors)
  await show({ ...page, props: { ...page.props, errors } }, { entry: 'same', at: 'stay' })
}

type Errors = Readonly<Record<string, string>>

/** Merges errors after a validation: of the validated fields only those that failed have one. */
export function mergeErrors(errors: Errors, fields: Iterable<string>, failing: Errors): Errors {
  const right = new Set(fields)
  const others = Object.entries(errors).filter(([field]) => !right.has(field))
  return { ...Object.fromEntries(others), ...failing }
}
