import { mailSent } from '#words/mail-sent'
import type { Client } from '../core/client-api.ts'

/**
 * When each wait ends by this browser's clock. A page from history counts on to the end that is noted here. A page
 * that was asked for anew says other seconds, and counts from these.
 */
const ends = new Map<string, number>()

let timer: number | undefined
/** The buttons that are not to be pressed yet. */
const held = new Set<HTMLButtonElement>()
let card: Element | null = null
let isStarted = false

/** Counts down on the `data-wait` buttons of the shown page. Once for each page. */
export function enliven({ shown }: Pick<Client, 'shown'>): void {
  if (!isStarted) document.addEventListener('submit', holdBack, { capture: true })
  isStarted = true
  tick()
  // Once more after the press that led here is over, since its end removes `aria-disabled` from the button.
  timer = window.setTimeout(tick)
  focusNew(Boolean(shown().flash.success))
}

function tick(): void {
  clearTimeout(timer)
  for (const button of held)
    if (button.dataset.wait === undefined || !button.isConnected) letGo(button)
  const waiting = [...document.querySelectorAll<HTMLButtonElement>('button[data-wait]')].map(tell)
  // At the end of the present second.
  const left = Math.max(0, ...waiting)
  if (left > 0) timer = window.setTimeout(tick, left % 1000 || 1000)
}

/** Writes on a button how long it may not be pressed yet; returns that in milliseconds. */
function tell(button: HTMLButtonElement): number {
  const left = leftOf(button)
  const announcer = button.form?.querySelector('[data-told]')
  const wasWaiting = button.ariaDisabled === 'true'
  const { idle = '' } = button.dataset
  write(button, left > 0 ? mailSent.againIn(Math.ceil(left / 1000)) : idle)
  // In steps of ten seconds: a screen reader reads out each new name of the button that has the focus.
  button.ariaLabel = left > 0 ? mailSent.againIn(Math.ceil(left / 10_000) * 10) : null
  button.ariaDisabled = left > 0 ? 'true' : null
  if (left > 0) {
    held.add(button)
    announcer?.replaceChildren()
  } else if (wasWaiting) announcer?.replaceChildren(mailSent.canAgain)
  return left
}

/** Ends the wait of a button that the server lets be pressed again. */
function letGo(button: HTMLButtonElement): void {
  held.delete(button)
  button.ariaLabel = null
  // While its form is in flight the button stays disabled.
  if (button.ariaBusy !== 'true') button.ariaDisabled = null
  button.form?.querySelector('[data-told]')?.replaceChildren(mailSent.canAgain)
}

/** How many milliseconds a button has to wait still. */
function leftOf({ dataset }: HTMLElement): number {
  const { wait, seconds } = dataset
  const key = `${wait} ${seconds}`
  const end = ends.get(key) ?? Date.now() + Number(seconds) * 1000
  ends.set(key, end)
  return Math.max(0, end - Date.now())
}

// The frontend's text node is kept: the frontend would go on writing into it if another took its place.
function write(button: HTMLElement, text: string): void {
  const { firstChild } = button.querySelector('.with-script') ?? button
  if (firstChild && firstChild.nodeValue !== text) firstChild.nodeValue = text
}

/** Stops a form whose button has to wait. The button is not `disabled`, which would take its focus. */
function holdBack(event: SubmitEvent): void {
  const { submitter } = event
  if (submitter?.dataset.wait !== undefined && leftOf(submitter) > 0) event.preventDefault()
}

/** Moves the focus to the heading of what has taken the place of a form: the focus went with the form. */
function focusNew(isAnswer: boolean): void {
  const before = card
  card = document.querySelector('[data-sent]')
  const heading = card?.querySelector('h1')
  if (!heading || card === before || document.activeElement !== document.body) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
  // The form may have been longer than the window. A page that was loaded anew, or is from history, is not scrolled.
  if (isAnswer) heading.scrollIntoView({ block: 'nearest' })
}
