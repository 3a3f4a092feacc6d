import type { Client } from './core/client-api.ts'
import { followPresses, pressEnd } from './press-end.ts'

/** How far the checking of a form has come. */
interface Check {
  readonly touched: Set<string>
  /** The values that were checked last. */
  values?: string
  /** Whether a field was left again, with these same values, before the answer to them came. */
  isLeftAgain?: boolean
  stop?: AbortController
}

// Milliseconds. Short, since a reload of the page, by a press or an event, waits for the answer.
const patience = 10_000

type TextField = HTMLInputElement | HTMLTextAreaElement

const checks = new WeakMap<HTMLFormElement, Check>()

let isStarted = false

/** Has the `data-validate` forms of this page, and of all pages after it, checked. */
export function enliven(client: Client): void {
  if (isStarted) return
  isStarted = true
  followPresses()
  document.addEventListener('focusout', (event) => checkField(client, event))
  document.addEventListener('submit', dropCheck)
  // Also fields that were filled in and left before this module came: by a quick person, or by the browser.
  for (const target of document.querySelectorAll('[data-validate] input'))
    if (target !== document.activeElement) checkField(client, { target })
}

/** As a field of a `data-validate` form is left with a new value, has the server check all fields touched so far. */
function checkField(client: Client, { target }: Pick<FocusEvent, 'target'>): void {
  if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return
  const { form, name, type } = target
  if (!form?.hasAttribute('data-validate') || !name || type === 'file') return
  // The form is in flight, which checks it too: a later answer about this field would remove the error that came of
  // that.
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

/** Once its form has its answer, has a field checked that was changed since: that answer is about the value before. */
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

/** Whether a field differs from what the server drew. For a box `checked` tells: its value is always the same. */
function isChanged(field: TextField): boolean {
  if (field instanceof HTMLInputElement && field.checked !== field.defaultChecked) return true
  return field.value !== field.defaultValue
}

/** Ends the checking of a form that is sent: the server then checks all of it. */
function dropCheck({ target }: Event): void {
  const form = target as HTMLFormElement
  const check = checks.get(form)
  check?.stop?.abort()
  checks.delete(form)
}

async function run(client: Client, form: HTMLFormElement, check: Check): Promise<void> {
  // The press by which the field was left may send the form, or lead to another page.
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
    // The values had no answer: they are checked when a field is left again, or now if one was left meanwhile.
    delete check.values
    if (check.isLeftAgain) return run(client, form, check)
  }
  // An error that appears or goes would move what is being pressed.
  await pressEnd()
  const page = shown()
  if (outcome.result !== 'checked' || signal.aborted || page.component !== component) return
  const errors = mergeErrors(page.props.errors, fields, outcome.errors)
  await show({ ...page, props: { ...page.props, errors } }, { entry: 'same', at: 'stay' })
}

type Errors = Readonly<Record<string, string>>

/** The page's errors after a check: of the fields asked for only those that failed have one. */
export function mergeErrors(errors: Errors, fields: Iterable<string>, failing: Errors): Errors {
  const right = new Set(fields)
  const others = Object.entries(errors).filter(([field]) => !right.has(field))
  return { ...Object.fromEntries(others), ...failing }
}
