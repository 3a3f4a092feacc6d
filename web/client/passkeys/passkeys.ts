import type { Autofill } from './autofill.ts'
import type { Pressed, run } from './ceremony.ts'
import type { Client } from '../core/client-api.ts'

let core: Client | undefined
let beginning: Promise<void> | undefined
/** Undefined until its modules have loaded. */
let autofill: Autofill | undefined
let running: Pressed | undefined
/** The target of the last `pointerdown`, until its click. */
let pressed: EventTarget | null

/** Attaches the behaviour of passkeys described in `markup.md`. Called once per page. */
export function enliven(client: Client): void {
  if (!('passkeys' in document.documentElement.dataset)) return
  // The person has left the page of the form that waits for a passkey.
  if (!running?.form.isConnected) running?.stop.abort()
  autofill?.settle()
  const isFirst = core === undefined
  core ??= client
  document.addEventListener('pointerdown', press)
  document.addEventListener('click', click)
  document.addEventListener('keyup', come)
  document.addEventListener('focusin', comeFrom)
  document.addEventListener('close', giveUp, { capture: true })
  // The field may have been focused before this module was loaded. Only under the pointer: otherwise the page
  // may have set the focus.
  if (isFirst) come({ target: document.querySelector('input:focus:hover') })
}

/**
 * Sends a form with the passkey that the person makes or uses, or has just chosen in the autofill. Returns
 * whether anything was sent.
 */
export async function send(client: Client, pressed: Pressed, by: typeof run): Promise<boolean> {
  const { signal } = pressed.stop
  running?.stop.abort()
  running = pressed
  // Not awaited if it is still loading: it offers nothing while the form is in flight.
  const chosen = autofill?.take()
  await autofill?.stop()
  const isSent = await by(client, { ...pressed, chosen, signal })
  if (!signal.aborted) autofill?.start()
  return isSent
}

/**
 * Aborts the passkey prompt when the form's dialog is closed: a key touched later would delete the account.
 */
function giveUp({ target }: Event): void {
  if (running && target instanceof HTMLDialogElement && target.contains(running.form))
    running.stop.abort()
}

/** Offers passkeys in a field only once somebody uses it: the server stores a row for each offer. */
function come({ target }: Pick<Event, 'target'>): void {
  if (!(target instanceof HTMLInputElement) || !('passkeyAutofill' in target.dataset)) return
  beginning ??= begin()
  void beginning.then(() => autofill?.come(target))
}

function press({ target }: Event): void {
  pressed = target
  come({ target })
}

/** Skips the click that follows `press`. Clicks of a label or of a screen reader have no `pointerdown`. */
function click({ target }: Event): void {
  if (target !== pressed) come({ target })
  pressed = null
}

/** Handles an on-screen keyboard, which may move the focus between fields without key events. */
function comeFrom({ target, relatedTarget }: FocusEvent): void {
  // Without an element that lost the focus, the page itself has set it.
  if (relatedTarget) come({ target })
}

/** Loads autofill, unless its modules fail to load: the button remains. */
async function begin(): Promise<void> {
  const loading = Promise.all([import('./autofill.ts'), import('./ceremony.ts')])
  const [module, ceremony] = await loading.catch(() => [])
  if (core && ceremony) autofill = new module.Autofill(ceremony.withPasskeys(core))
}
