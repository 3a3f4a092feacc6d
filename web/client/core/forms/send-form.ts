import { hidePasswords } from './show-password.ts'
import { type FormRequest, readForm } from './form-request.ts'
import { sendWithPasskey } from '../parts.ts'
import { urlencoded } from '../requests/request.ts'
import { send, visit } from '../visits/visits.ts'

/** A form that was submitted. */
interface Submitted {
  /** Aborts the passkey prompt while the person has not answered it. */
  readonly stop: AbortController
  /** Whether anything was sent. */
  readonly isSent: Promise<boolean>
}

const inFlight = new WeakMap<HTMLFormElement, Submitted>()

/** Sends a submitted form, unless the browser must do that; a form in flight is not sent twice. */
export async function sendForm(event: SubmitEvent): Promise<void> {
  const form = event.target as HTMLFormElement
  const { submitter } = event
  const order = readForm(form, submitter)
  if (event.defaultPrevented || !order) return
  event.preventDefault()
  const isForPasskey = submitter?.dataset.passkey !== undefined
  const earlier = inFlight.get(form)
  if (earlier) {
    if (isForPasskey) return
    // A form that waits for a passkey stops waiting: another button was pressed.
    earlier.stop.abort()
    if ((await earlier.isSent) || inFlight.has(form)) return
  }
  hidePasswords(form)
  setBusy(submitter, 'true')
  const stop = new AbortController()
  const isSent = isForPasskey
    ? sendWithPasskey({ form, order, button: submitter, stop })
    : sendOrder(form, order).then(() => true)
  inFlight.set(form, { stop, isSent })
  try {
    await isSent
  } finally {
    inFlight.delete(form)
    setBusy(submitter, null)
  }
}

// Not `disabled`, which would lose the focus.
function setBusy(button: HTMLElement | null, busy: 'true' | null): void {
  if (!button) return
  button.ariaBusy = busy
  button.ariaDisabled = busy
}

function sendOrder(
  form: HTMLFormElement,
  { method, action, multipart, fields }: FormRequest,
): Promise<void> {
  const preserveScroll = form.hasAttribute('data-preserve-scroll')
  if (method === 'get') {
    action.search = String(urlencoded(fields))
    return visit(action.href, { preserveScroll })
  }
  return send(action.href, multipart ? fields : urlencoded(fields), { preserveScroll, form })
}
