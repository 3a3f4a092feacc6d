import { type Client, clientApi, type Reload } from './client-api.ts'
import { givenUp } from './after.ts'
import { load } from './leaving.ts'
import { unanswered } from './unanswered.ts'
import type { Pressed } from '../passkeys/ceremony.ts'

/** What brings a shown page to life beyond links and forms. Called once for each page. */
type Enliven = (client: Client) => void

/** The parts that only some pages need, each loaded once a page has markup for it. */
// oxfmt-ignore
const parts: Readonly<Record<string, () => Promise<{ enliven: Enliven }>>> = {
  '[data-listen]':                              () => import('../live/live.ts'),
  '[data-sent]':                                () => import('../live/countdown.ts'),
  '[data-validate]':                            () => import('../validation.ts'),
  '[data-passkey]':                             () => import('../passkeys/passkeys.ts'),
  '[data-submit-at],[data-reload],[data-copy]': () => import('../codes.ts'),
}
const client: Client = { ...clientApi, reload }
const loaded = new Map<string, ReturnType<(typeof parts)[string]>>()
let typed: Promise<{ enliven: Enliven } | undefined> | undefined

/**
 * Brings the shown page to life; resolves once all parts that it needs are at work, or could not be loaded. The part
 * for typed text is not among them: no press waits for it.
 */
export function enliven(): Promise<unknown> {
  if (typed) void seeToTyped()
  return Promise.allSettled(Object.entries(parts).map(([markup, load]) => enlivenBy(markup, load)))
}

/** Has typed text kept, from the first sign of somebody on. Where the part cannot be loaded, the pages do without. */
export async function seeToTyped(): Promise<void> {
  typed ??= import('../typed/typed.ts').catch(() => undefined)
  ;(await typed)?.enliven(client)
}

async function enlivenBy(markup: string, load: (typeof parts)[string]): Promise<void> {
  if (!loaded.has(markup) && document.querySelector(markup)) loaded.set(markup, load())
  try {
    ;(await loaded.get(markup))?.enliven(client)
  } catch (error) {
    // The part's buttons would do nothing: this page goes without script, and the next visit loads a document.
    if (navigator.onLine) delete document.documentElement.dataset.js
    throw error
  }
}

/** Asks for the shown page, or some of its props, anew. If `reload.ts` cannot be loaded the browser loads the page. */
export function reload(how: Reload = {}): Promise<unknown> {
  return import('../reload/reload.ts').then(
    (loaded) => loaded.reload(client, how),
    () => load(),
  )
}

/**
 * Sends a form whose `data-passkey` button was pressed, once the modules for it are loaded. Returns whether anything
 * was sent.
 */
export async function sendWithPasskey(pressed: Pressed): Promise<boolean> {
  // Loaded only now: on most visits to the login page another button is pressed, which needs no ceremony.
  const loading = Promise.all([
    import('../passkeys/passkeys.ts'),
    import('../passkeys/ceremony.ts'),
  ])
  const { signal } = pressed.stop
  const [passkeys, ceremony] = await Promise.race([loading, givenUp(signal)]).catch(() => [])
  if (passkeys && ceremony) return passkeys.send(client, pressed, ceremony.run)
  // Another build is out: a module that failed to load fails until the next document.
  if (!signal.aborted) (navigator.onLine ? load : unanswered.press)()
  return false
}
