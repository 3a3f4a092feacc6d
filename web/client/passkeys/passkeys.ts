import type { Autofill } from './autofill.ts'
import type { Pressed, run } from './ceremony.ts'
import type { Client } from '../core/client-api.ts'

let core: Client | undefined
let autofill: Promise<Autofill | undefined> | undefined
let running: Pressed | undefined
/** What the last press has come to. */
let pressed: EventTarget | null

/** Brings the passkeys of the shown page to life: what `markup.md` says of them. Once for each page. */
export function enliven(client: Client): void {
  if (!('passkeys' in document.documentElement.dataset)) return
  // The person has left its page.
  if (!running?.form.isConnected) running?.stop.abort()
  void autofill?.then((there) => there?.settle())
  const isFirst = core === undefined
  core ??= client
  document.addEventListener('pointerdown', press)
  document.addEventListener('click', click)
  document.addEventListener('keyup', come)
  document.addEventListener('focusin', comeFrom)
  document.addEventListener('close', giveUp, { capture: true })
  // Of a hand that was quicker than this module. Without one the page itself may have set the focus.
  if (isFirst) come({ target: document.querySelector('input:focus:hover') })
}

/**
 * Sends a form with the passkey that the person makes or uses, or has chosen beside a field just now. Whether anything
 * was sent.
 */
export async function send(client: Client, pressed: Pressed, by: typeof run): Promise<boolean> {
  const { signal } = pressed.stop
  running?.stop.abort()
  running = pressed
  const there = await autofill
  const chosen = there?.take()
  await there?.stop()
  const isSent = await by(client, { ...pressed, chosen, signal })
  if (!signal.aborted) there?.start()
  return isSent
}

/** Who closes a dialog wants nothing of what is asked in it: a passkey that is touched later would delete an account still. */
function giveUp({ target }: Event): void {
  if (running && target instanceof HTMLDialogElement && target.contains(running.form))
    running.stop.abort()
}

/** Offers passkeys beside a field once somebody comes to it: each offer is a row on the server, and counted there. */
function come({ target }: Pick<Event, 'target'>): void {
  if (!(target instanceof HTMLInputElement) || !('passkeyAutofill' in target.dataset)) return
  autofill ??= begun()
  void autofill.then((there) => there?.come(target))
}

function press({ target }: Event): void {
  pressed = target
  come({ target })
}

/** A press has come already; a label's click, or that of what reads the screen, has none before it. */
function click({ target }: Event): void {
  if (target !== pressed) come({ target })
  pressed = null
}

/** A keyboard on a screen may go from field to field without a key that a page hears of. */
function comeFrom({ target, relatedTarget }: FocusEvent): void {
  // Where nothing had the focus before, it was the page that has set it.
  if (relatedTarget) come({ target })
}

/** Undefined where its modules could not be loaded: the button is still there. */
async function begun(): Promise<Autofill | undefined> {
  const loading = Promise.all([import('./autofill.ts'), import('./ceremony.ts')])
  const [autofill, ceremony] = await loading.catch(() => [])
  return core && ceremony && new autofill.Autofill(ceremony.withPasskeys(core))
}
