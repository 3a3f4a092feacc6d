import { type Client, clientApi, type Reload } from './client-api.ts'
import { givenUp } from './requests/time-limits.ts'
import { loadDocument } from './requests/leaving.ts'
import { unanswered } from './page/unanswered.ts'
import type { Pressed } from '../passkeys/ceremony.ts'

/** Attaches a part's behaviour to a drawn page. Called once per page. */
type Enliven = (client: Client) => void

/** The parts that only some pages need, each loaded when a page has markup for it. */
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
 * Attaches all parts to the drawn page; resolves once each is attached or has failed to load. The part for
 * typed text is not awaited: no button depends on it.
 */
export function enliven(): Promise<unknown> {
  if (typed) void preserveTyped()
  return Promise.allSettled(Object.entries(parts).map(([markup, load]) => enlivenBy(markup, load)))
}

/** Preserves typed text from the first sign of activity on. Does nothing if the part fails to load. */
export async function preserveTyped(): Promise<void> {
  typed ??= import('../typed/typed.ts').catch(() => undefined)
  ;(await typed)?.enliven(client)
}

async function enlivenBy(markup: string, load: (typeof parts)[string]): Promise<void> {
  if (!loaded.has(markup) && document.querySelector(markup)) loaded.set(markup, load())
  try {
    ;(await loaded.get(markup))?.enliven(client)
  } catch (error) {
    // The part's buttons would do nothing: fall back to a page without scripts, and load a document next.
    if (navigator.onLine) delete document.documentElement.dataset.js
    throw error
  }
}

/** Reloads the current page, or some of its props. The browser reloads it if `reload.ts` fails to load. */
export function reload(how: Reload = {}): Promise<unknown> {
  return import('../reload/reload.ts').then(
    (loaded) => loaded.reload(client, how),
    () => loadDocument(),
  )
}

/**
 * Loads what a pressed `data-passkey` button needs, and sends its form. Returns whether anything was sent.
 */
export async function sendWithPasskey(pressed: Pressed): Promise<boolean> {
  // Loaded on demand: most visits to the login page use another button.
  const loading = Promise.all([
    import('../passkeys/passkeys.ts'),
    import('../passkeys/ceremony.ts'),
  ])
  const { signal } = pressed.stop
  const [passkeys, ceremony] = await Promise.race([loading, givenUp(signal)]).catch(() => [])
  if (passkeys && ceremony) return passkeys.send(client, pressed, ceremony.run)
  // A new build was deployed: a module that failed to load keeps failing until the next document.
  if (!signal.aborted) (navigator.onLine ? loadDocument : unanswered.press)()
  return false
}
