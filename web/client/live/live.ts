import { followChoice, showChoice } from './appearance-choice.ts'
import { scrollToArrived } from './scroll-to-arrived.ts'
import { closeWithForm, forgetTyped, openDialog, openFailed, placeToasts } from './dialogs.ts'
import { Connection } from './events.ts'
import { keepFocus, noteFocus, notePress, noteScroll } from './kept-focus.ts'
import { followToasts } from './lift-toasts.ts'
import { closeLeft, closeMenus } from './menus.ts'
import { followPhotos } from './photo-choice.ts'
import { tellTimes } from './times.ts'
import { showUploads } from './upload.ts'
import { followConnection } from '../offline/offline.ts'
import { isFromBefore, reload } from '../reload/reload.ts'
import type { Client } from '../core/client-api.ts'

let connection: Connection | undefined

/** Attaches the behaviour that `markup.md` describes beyond links and forms. Called once per page. */
export function enliven(client: Client): void {
  const isFirst = !connection
  connection ??= start(client)
  connection.settle()
  void connection.catchUp((time) => isFromBefore(client, time))
  tellTimes()
  showChoice()
  placeToasts()
  keepFocus()
  scrollToArrived()
  followConnection(client, connection)
  signal(client, isFirst)
}

/** Signals the page's passkeys or user to the browser. */
function signal({ shown }: Client, isFirst: boolean): void {
  if (!document.querySelector('[data-signal]')) return
  const { answered } = shown()
  // Only a document's own page has no time: if it is not the first, it comes from history.
  const answeredAt = isFirst ? answered : (answered ?? 0)
  // If it fails to load, the browser keeps offering the same passkeys as before, until the next page.
  import('../passkeys/signals.ts').then(
    (signals) => signals.tellBrowser(answeredAt),
    () => {},
  )
}

function start(client: Client): Connection {
  const made = new Connection(client.shown, () => reload(client, {}))
  document.addEventListener('click', (event) => {
    closeMenus(event)
    openDialog(event, client)
    // A toast may have been dismissed.
    keepFocus()
    notePress()
  })
  addEventListener('scroll', noteScroll, { passive: true })
  document.addEventListener('close', (event) => forgetTyped(event, client), { capture: true })
  document.addEventListener('focusin', noteFocus)
  document.addEventListener('focusout', closeLeft)
  // The focus may have moved before this module was loaded.
  noteFocus({ target: document.activeElement ?? document.body })
  document.addEventListener('keydown', closeMenus)
  document.addEventListener('submit', (event) => void noteForm(event, client, made))
  document.addEventListener('change', followChoice)
  document.addEventListener('reset', closeWithForm)
  addEventListener('storage', showChoice)
  followPhotos(client)
  showUploads(client)
  followToasts()
  openFailed()
  document.addEventListener('visibilitychange', () => {
    made.settle()
    tellTimes()
  })
  return made
}

/** Has pages from history reloaded that were answered before a form was sent: it may have changed them. */
async function noteForm(
  { defaultPrevented, submitter }: SubmitEvent,
  { underWay }: Client,
  connection: Connection,
): Promise<void> {
  // A new passkey is told by an event.
  if (!defaultPrevented || submitter?.dataset.passkey !== undefined) return
  const sentAt = Date.now()
  // The page it leads to is answered later, and must not be reloaded; nor the current one meanwhile.
  await Promise.allSettled(underWay)
  connection.noteChange(sentAt)
}
