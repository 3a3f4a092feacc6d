import { type Client, clientApi, type Reload } from './client-api.ts'
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
 * Brings the shown page to life; resolves once all that it needs is at work, or could not be had. What is typed is seen to
 * besides: nothing that is pressed waits for that.
 */
export function enliven(): Promise<unknown> {
  if (typed) void seeToTyped()
  return Promise.allSettled(Object.entries(parts).map(([markup, load]) => enlivenBy(markup, load)))
}

/** Sees to what is typed, from the first sign of somebody on. Where it cannot be had, the pages do without. */
export async function seeToTyped(): Promise<void> {
  typed ??= import('../typed/typed.ts').catch(() => undefined)
  ;(await typed)?.enliven(client)
}

async function enlivenBy(markup: string, load: (typeof parts)[string]): Promise<void> {
  if (!loaded.has(markup) && document.querySelector(markup)) loaded.set(markup, load())
  try {
    ;(await loaded.get(markup))?.enliven(client)
  } catch (error) {
    // Its buttons would do nothing: the page is as without a script, and the next one a document, which asks for it again.
    if (navigator.onLine) delete document.documentElement.dataset.js
    throw error
  }
}

/** Asks for the shown page anew, or for some of its props: `reload.ts`. Where that cannot be had the browser loads it. */
export function reload(how: Reload = {}): Promise<unknown> {
  return import('../reload/reload.ts').then(
    (loaded) => loaded.reload(client, how),
    () => load(),
  )
}

/**
 * Sends a form whose `data-passkey` button was pressed, once what does it is loaded: pressed soon, it waits. Whether
 * anything was sent.
 */
export async function sendWithPasskey(pressed: Pressed): Promise<boolean> {
  // On most visits to the login page it is another button that is pressed, which needs no ceremony.
  const loading = Promise.all([
    import('../passkeys/passkeys.ts'),
    import('../passkeys/ceremony.ts'),
  ])
  const [passkeys, ceremony] = await loading.catch(() => [])
  if (passkeys && ceremony) return passkeys.send(client, pressed, ceremony.run)
  // Another build is out: a module that failed once does so as long as the document is there.
  if (navigator.onLine) load()
  else unanswered.press()
  return false
}
