import { hidePasswords } from './controls.ts'
import { urlencoded } from './request.ts'
import { dropCheck } from './validation.ts'
import { send, visit } from './visits.ts'

const inFlight = new WeakSet<HTMLFormElement>()

/** Sends a submitted form by the page protocol if it is one for this client; never twice at once. */
export async function sendForm(event: SubmitEvent): Promise<void> {
  const form = event.target as HTMLFormElement
  const { submitter } = event
  const order = readForm(form, submitter)
  if (event.defaultPrevented || !order) return
  event.preventDefault()
  if (inFlight.has(form)) return
  inFlight.add(form)
  dropCheck(form)
  hidePasswords(form)
  setBusy(submitter, 'true')
  try {
    await sendOrder(form, order)
  } finally {
    inFlight.delete(form)
    setBusy(submitter, null)
  }
}

// Not `disabled`, which would take the focus away.
function setBusy(button: HTMLElement | null, busy: 'true' | null): void {
  if (!button) return
  button.ariaBusy = busy
  button.ariaDisabled = busy
}

interface Order {
  readonly method: string
  readonly action: URL
  readonly multipart: boolean
  readonly fields: FormData
}

/** What a form is to send; undefined when it is the browser's to send. */
function readForm(form: HTMLFormElement, submitter: HTMLElement | null): Order | undefined {
  // Attributes rather than properties: a field named `action` hides the form's own.
  const said = (name: string) =>
    submitter?.getAttribute(`form${name}`) ?? form.getAttribute(name) ?? ''
  const method = said('method').toLowerCase() || 'get'
  const action = new URL(said('action') || location.href, location.href)
  if (said('target') || form.hasAttribute('data-native')) return undefined
  if (method === 'dialog' || action.origin !== location.origin) return undefined
  const fields = new FormData(form, submitter)
  return { method, action, multipart: said('enctype') === 'multipart/form-data', fields }
}

function sendOrder(
  form: HTMLFormElement,
  { method, action, multipart, fields }: Order,
): Promise<void> {
  const preserveScroll = form.hasAttribute('data-preserve-scroll')
  if (method === 'get') {
    action.search = String(urlencoded(fields))
    return visit(action.href, { preserveScroll })
  }
  return send(action.href, multipart ? fields : urlencoded(fields), { preserveScroll, form })
}
