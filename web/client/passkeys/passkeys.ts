import { answerOf } from './credentials.ts'
import { type PasskeyClient, post } from './exchange.ts'
import type { Autofill } from './autofill.ts'
import type { Pressed, run } from './ceremony.ts'
import type { Client } from '../core/client-api.ts'

let lent: PasskeyClient | undefined
let autofill: Promise<Autofill | undefined> | undefined
let running: { form: HTMLFormElement; stop: AbortController } | undefined

/** Brings the passkeys of the shown page to life: what the markup of `client.ts` says of them. Once for each page. */
export function enliven(client: Client): void {
  if (!('passkeys' in document.documentElement.dataset)) return
  // The person has left its page.
  if (!running?.form.isConnected) running?.stop.abort()
  void autofill?.then((there) => there?.settle())
  lend(client)
  for (const type of ['focusin', 'pointerdown']) document.addEventListener(type, come)
  // Of a hand that was quicker.
  come({ target: document.activeElement })
}

/** Sends a form with the passkey that the person makes or uses, or has chosen beside a field just now. */
export async function send(client: Client, pressed: Pressed, by: typeof run): Promise<void> {
  const stop = new AbortController()
  running?.stop.abort()
  running = { form: pressed.form, stop }
  const there = await autofill
  const chosen = there?.take()
  await there?.stop()
  await by(lend(client), { ...pressed, chosen, signal: stop.signal })
  there?.start()
}

function lend(client: Client): PasskeyClient {
  return (lent ??= { ...client, post, answerOf })
}

/** Offers passkeys beside a field once somebody comes to it: each offer is a row on the server, and counted there. */
function come({ target }: Pick<Event, 'target'>): void {
  if (!(target instanceof HTMLInputElement) || !('passkeyAutofill' in target.dataset)) return
  autofill ??= begun()
  void autofill.then((there) => there?.come(target))
}

/** Undefined where its module could not be loaded: the button is still there. */
async function begun(): Promise<Autofill | undefined> {
  const loaded = await import('./autofill.ts').catch(() => undefined)
  return loaded && lent && new loaded.Autofill(lent)
}
