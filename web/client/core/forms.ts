import { hidePasswords } from './controls.ts'
import { type FormRequest, readForm } from './form-request.ts'
import { sendWithPasskey } from './parts.ts'
import { urlencoded } from './request.ts'
import { send, visit } from './visits.ts'

const inFlight = new WeakSet<HTMLFormElement>()

/** Sends a submitted form if it is one for this client; never twice at once. */
export async function sendForm(event: SubmitEvent): Promise<void> {
  const form = event.target as HTMLFormElement
  const { submitter } = event
  const order = readForm(form, submitter)
  if (event.defaultPrevented || !order) return
  event.preventDefault()
  if (inFlight.has(form)) return
  inFlight.add(form)
  hidePasswords(form)
  setBusy(submitter, 'true')
  try {
    await (submitter?.dataset.passkey
      ? sendWithPasskey({ form, order, button: submitter })
      : sendOrder(form, order))
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
