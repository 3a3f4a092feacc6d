import { TypedText } from './drafts.ts'
import { followConnection } from '../offline/offline.ts'
import type { Client } from '../core/client-api.ts'

let typed: TypedText | undefined

/** Sees to what is typed into the forms of the shown page. Once for each page. */
export function enliven(client: Client): void {
  typed ??= start(client)
  typed.show()
  followConnection(client)
}

function start(client: Client): TypedText {
  // It is there then once a form fails. Where it cannot be had now, it is asked for again by then.
  import('./failed.ts').catch(() => undefined)
  const made = new TypedText(client)
  client.typing.hasUnkept = () => made.hasUnkept()
  client.typing.answered = (form, answer) => form && made.answered(form, answer)
  client.typing.elsewhere = (form) => form && made.elsewhere(form)
  let isSending = false
  document.addEventListener('input', ({ target }) => {
    const { form } = target as HTMLInputElement
    if (form) made.note(form)
  })
  document.addEventListener('reset', ({ target }) => made.drop(target as HTMLFormElement))
  // Ahead of the client, by which the form is in flight then.
  const note = ({ target }: Event) => {
    const form = target as HTMLFormElement
    // One that is in flight is not sent a second time.
    if (!form.querySelector('[aria-busy="true"]')) made.send(form)
    // By the browser itself, to this site: the tab has the text still.
    isSending = form.hasAttribute('data-native')
  }
  addEventListener('submit', note, { capture: true })
  addEventListener('beforeunload', (event) => {
    if (!isSending && !client.isLoading() && made.isAtStake()) event.preventDefault()
    isSending = false
  })
  return made
}
