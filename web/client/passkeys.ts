import { Autofill } from './autofill.ts'
import { answerOf } from './credentials.ts'
import { post } from './exchange.ts'
import type { Pressed, run } from './ceremony.ts'
import type { Client } from './lent.ts'

let autofill: Autofill | undefined
let running: { form: HTMLFormElement; stop: AbortController } | undefined

/** Brings the passkeys of the shown page to life: what the markup of `client.ts` says of them. Once for each page. */
export function enliven(client: Client): void {
  if (!('passkeys' in document.documentElement.dataset)) return
  // The person has left its page.
  if (!running?.form.isConnected) running?.stop.abort()
  autofill ??= new Autofill(client)
  autofill.settle()
}

/** Sends a form with the passkey that the person makes or uses, or has chosen beside a field just now. */
export async function send(client: Client, pressed: Pressed, by: typeof run): Promise<void> {
  const chosen = autofill?.take()
  const stop = new AbortController()
  running?.stop.abort()
  running = { form: pressed.form, stop }
  await autofill?.stop()
  await by({ ...client, post, answerOf }, { ...pressed, chosen, signal: stop.signal })
  autofill?.start()
}
