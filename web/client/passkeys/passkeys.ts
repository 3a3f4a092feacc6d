import type { Autofill } from './autofill.ts'
import type { Pressed, run } from './ceremony.ts'
import type { Client } from '../core/client-api.ts'

let core: Client | undefined
let autofill: Promise<Autofill | undefined> | undefined
let running: Pressed | undefined
/** The target of the last `pointerdown`, until its click. */
let pressed: EventTarget | null

/** Brings the passkeys of the shown page to life: what `markup.md` says of them. Once for each page. */
export function enliven(client: Client): void {
  if (!('passkeys' in document.documentElement.dataset)) return
  // The person has left the page of the form that waits for a passkey.
  if (!running?.form.isConnected) running?.stop.abort()
  void autofill?.then((there) => there?.settle())
  const isFirst = core === undefined
  core ??= client
  document.addEventListener('pointerdown', press)
  document.addEventListener('click', click)
  document.addEventListener('keyup', come)
  document.addEventListener('focusin', comeFrom)
  document.addEventListener('close', giveUp, { capture: true })
  // The person may have come to the field before this module did. Only under the pointer: the page may have set the
  // focus.
  if (isFirst) come({ target: document.querySelector('input:focus:hover') })
}

/**
 * Sends a form with the passkey that the person makes or uses, or has just chosen beside a field. Returns whether
 * anything was sent.
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

/**
 * Stops asking for a passkey when the dialog of the form is closed: a key touched later would still delete the account.
 */
function giveUp({ target }: Event): void {
  if (running && target instanceof HTMLDialogElement && target.contains(running.form))
    running.stop.abort()
}

/** Offers passkeys beside a field once somebody comes to it, and not before: the server keeps a row for each offer. */
function come({ target }: Pick<Event, 'target'>): void {
  if (!(target instanceof HTMLInputElement) || !('passkeyAutofill' in target.dataset)) return
  autofill ??= begun()
  void autofill.then((there) => there?.come(target))
}

function press({ target }: Event): void {
  pressed = target
  come({ target })
}

/** The click of a press was seen to by `press`. Clicks of a label or of a screen reader have no press before them. */
function click({ target }: Event): void {
  if (target !== pressed) come({ target })
  pressed = null
}

/** A keyboard on the screen may move the focus from field to field without the page getting a key event. */
function comeFrom({ target, relatedTarget }: FocusEvent): void {
  // Without an element that had it before, the page itself has set the focus.
  if (relatedTarget) come({ target })
}

/** Loads autofill; undefined where its modules could not be loaded: there is still the button. */
async function begun(): Promise<Autofill | undefined> {
  const loading = Promise.all([import('./autofill.ts'), import('./ceremony.ts')])
  const [autofill, ceremony] = await loading.catch(() => [])
  return core && ceremony && new autofill.Autofill(ceremony.withPasskeys(core))
}
