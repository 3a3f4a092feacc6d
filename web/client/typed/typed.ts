import { TypedText } from './drafts.ts'
import { noteTypedSince } from './failed.ts'
import { followConnection } from '../offline/offline.ts'
import { dropUnheard, noteUnheard } from '../offline/unheard.ts'
import { dismissOnReturn, keepToTell, tellFailure } from './to-tell.ts'
import type { Client } from '../core/client-api.ts'

// Exported from here so that it loads with this module, which every answer to a form waits for. Loaded later
// it would clear a password retyped meanwhile, and keep the form busy until then.
export { focusInvalid } from './failed.ts'

let typed: TypedText | undefined

/** Records and restores what is typed into the forms of the page. Called once per page. */
export function enliven(client: Client): void {
  typed ??= start(client)
  typed.show()
  followConnection(client)
}

function start(client: Client): TypedText {
  const made = new TypedText(client)
  if (client.typing.sent) noteTypedSince(client.typing.sent)
  client.typing.hasUnkept = () => made.hasUnkept()
  noteUnheard(client)
  client.typing.answered = (form, answer) => {
    dropUnheard()
    return form && made.answered(form, answer)
  }
  client.typing.heard = (form, answer) => {
    dropUnheard()
    if (form) made.answered(form, answer)
    tellFailure(client, answer)
    // Logged out, and back on an earlier page: it must not stay, even if it cannot be fetched again.
    if (form && answer.clearHistory) void client.reload({ isUrgent: true })
  }
  client.typing.elsewhere = (form) => form && made.elsewhere(form)
  client.typing.undrawn = keepToTell
  dismissOnReturn(client)
  let isSending = false
  document.addEventListener('input', ({ target }) => {
    const { form } = target as HTMLInputElement
    if (form) made.note(form)
  })
  document.addEventListener('reset', ({ target }) => made.drop(target as HTMLFormElement))
  // Captured, so that it runs before the client marks the form as in flight.
  const note = ({ target }: Event) => {
    const form = target as HTMLFormElement
    // A form that is in flight is not sent a second time.
    if (!form.querySelector('[aria-busy="true"]')) made.send(form)
    // The browser sends the form itself, to this site: no warning is needed, since the tab keeps the text.
    isSending = form.hasAttribute('data-native')
  }
  addEventListener('submit', note, { capture: true })
  addEventListener('beforeunload', (event) => {
    if (!isSending && !client.isLoading() && made.isAtStake()) event.preventDefault()
    isSending = false
  })
  return made
}
