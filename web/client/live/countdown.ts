import { mailSent } from '#words/auth/mail-sent'
import type { Client } from '../core/client-api.ts'

/**
 * The end of each wait by this browser's clock. A page from history counts down to the end recorded here; a
 * page fetched again brings other seconds, and counts from those.
 */
const ends = new Map<string, number>()

let timer: number | undefined
/** The buttons that must not be pressed yet. */
const held = new Set<HTMLButtonElement>()
let card: Element | null = null
let isStarted = false

/** Counts down on the `data-wait` buttons of the page. Called once per page. */
export function enliven({ shown }: Pick<Client, 'shown'>): void {
  if (!isStarted) document.addEventListener('submit', holdBack, { capture: true })
  isStarted = true
  tick()
  // Once more after the submit that led here has ended, which removes `aria-disabled` from the button.
  timer = window.setTimeout(tick)
  focusNew(Boolean(shown().flash.success))
}

function tick(): void {
  clearTimeout(timer)
  for (const button of held)
    if (button.dataset.wait === undefined || !button.isConnected) letGo(button)
  const waiting = [...document.querySelectorAll<HTMLButtonElement>('button[data-wait]')].map(tell)
  // At the end of the current second.
  const left = Math.max(0, ...waiting)
  if (left > 0) timer = window.setTimeout(tick, left % 1000 || 1000)
}

/** Writes the remaining wait on a button; returns it in milliseconds. */
function tell(button: HTMLButtonElement): number {
  const left = leftOf(button)
  const announcer = button.form?.querySelector('[data-told]')
  const wasWaiting = button.ariaDisabled === 'true'
  const { idle = '' } = button.dataset
  write(button, left > 0 ? mailSent.againIn(Math.ceil(left / 1000)) : idle)
  // In steps of ten seconds: screen readers read out each new name of the focused button.
  button.ariaLabel = left > 0 ? mailSent.againIn(Math.ceil(left / 10_000) * 10) : null
  button.ariaDisabled = left > 0 ? 'true' : null
  if (left > 0) {
    held.add(button)
    announcer?.replaceChildren()
  } else if (wasWaiting) announcer?.replaceChildren(mailSent.canAgain)
  return left
}

/** Ends the wait of a button that the server has released. */
function letGo(button: HTMLButtonElement): void {
  held.delete(button)
  button.ariaLabel = null
  // While its form is in flight the button stays disabled.
  if (button.ariaBusy !== 'true') button.ariaDisabled = null
  button.form?.querySelector('[data-told]')?.replaceChildren(mailSent.canAgain)
}

/** Returns how much longer a button has to wait, in milliseconds. */
function leftOf({ dataset }: HTMLElement): number {
  const { wait, seconds } = dataset
  const key = `${wait} ${seconds}`
  // If the clock was set back, nobody waits longer than the seconds; the new end is recorded, so that they run down.
  const end = Math.min(ends.get(key) ?? Infinity, Date.now() + Number(seconds) * 1000)
  ends.set(key, end)
  return Math.max(0, end - Date.now())
}

// The text node is kept: the frontend would go on writing into it after a replacement.
function write(button: HTMLElement, text: string): void {
  const { firstChild } = button.querySelector('.with-script') ?? button
  if (firstChild && firstChild.nodeValue !== text) firstChild.nodeValue = text
}

/** Stops a form whose button has to wait. The button is not `disabled`, which would lose the focus. */
function holdBack(event: SubmitEvent): void {
  const { submitter } = event
  if (submitter?.dataset.wait !== undefined && leftOf(submitter) > 0) event.preventDefault()
}

/** Focuses the heading of what has replaced a form, whose focus was lost with it. */
function focusNew(isAnswer: boolean): void {
  const before = card
  card = document.querySelector('[data-sent]')
  const heading = card?.querySelector('h1')
  if (!heading || card === before || document.activeElement !== document.body) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
  // The form may have been taller than the window. A reloaded page, or one from history, is not scrolled.
  if (isAnswer) heading.scrollIntoView({ block: 'nearest' })
}
