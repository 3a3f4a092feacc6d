import { TypedText } from './drafts.ts'
import { noteTypedSince } from './failed.ts'
import { followConnection } from '../offline/offline.ts'
import type { Client } from '../core/client-api.ts'

// With what is typed, which every answer to a form waits for: come later, it would empty a password typed anew by then,
// and have the form busy until it came.
export { focusInvalid } from './failed.ts'

let typed: TypedText | undefined

/** Sees to what is typed into the forms of the shown page. Once for each page. */
export function enliven(client: Client): void {
  typed ??= start(client)
  typed.show()
  followConnection(client)
}

function start(client: Client): TypedText {
  const made = new TypedText(client)
  if (client.typing.sent) noteTypedSince(client.typing.sent)
  client.typing.hasUnkept = () => made.hasUnkept()
  client.typing.answered = (form, answer) => form && made.answered(form, answer)
  client.typing.elsewhere = (form) => form && made.elsewhere(form)
  let isSending = false
  document.addEventListener('input', ({ target }) => {
    const { form } = target as HTMLInputElement
    if (form) made.note(form)
  })
  document.addEventListener('reset', ({ target }) => made.drop(target as HTMLFormElement))
  // Hears it before the client, which marks the form as in flight.
  const note = ({ target }: Event) => {
    const form = target as HTMLFormElement
    // A form that is in flight is not sent a second time.
    if (!form.querySelector('[aria-busy="true"]')) made.send(form)
    // The browser itself sends it, to this site: the tab keeps the text.
    isSending = form.hasAttribute('data-native')
  }
  addEventListener('submit', note, { capture: true })
  addEventListener('beforeunload', (event) => {
    if (!isSending && !client.isLoading() && made.isAtStake()) event.preventDefault()
    isSending = false
  })
  return made
}
