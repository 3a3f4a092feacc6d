import { mailSent } from '#words/mail-sent'
import type { Client } from '../core/client-api.ts'

/**
 * When each wait ends by this browser's clock, by what the server said of it: a page that was gone back to counts on from
 * where it is, and one that was asked for anew from what the server says then.
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
  // Once more when the press that led here is done with: it takes `aria-disabled` from its button.
  timer = window.setTimeout(tick)
  focusNew(Boolean(shown().flash.success))
}

function tick(): void {
  clearTimeout(timer)
  for (const button of held)
    if (button.dataset.wait === undefined || !button.isConnected) letGo(button)
  const waiting = [...document.querySelectorAll<HTMLButtonElement>('button[data-wait]')].map(tell)
  // As the second ends, and not a moment before.
  const left = Math.max(0, ...waiting)
  if (left > 0) timer = window.setTimeout(tick, left % 1000 || 1000)
}

/** Writes how long a button is not to be pressed; returns it in milliseconds. */
function tell(button: HTMLButtonElement): number {
  const left = leftOf(button)
  const told = button.form?.querySelector('[data-told]')
  const wasWaiting = button.ariaDisabled === 'true'
  const { idle = '' } = button.dataset
  write(button, left > 0 ? mailSent.againIn(Math.ceil(left / 1000)) : idle)
  // A screen reader would read each new name of what has the focus.
  button.ariaLabel = left > 0 ? mailSent.againIn(Math.ceil(left / 10_000) * 10) : null
  button.ariaDisabled = left > 0 ? 'true' : null
  if (left > 0) {
    held.add(button)
    told?.replaceChildren()
  } else if (wasWaiting) told?.replaceChildren(mailSent.canAgain)
  return left
}

/** Lets a button go that the server has wait no more. */
function letGo(button: HTMLButtonElement): void {
  held.delete(button)
  // A button that was pressed is held by its press.
  if (button.ariaBusy !== 'true') button.ariaDisabled = null
  button.form?.querySelector('[data-told]')?.replaceChildren(mailSent.canAgain)
}

/** Milliseconds. */
function leftOf({ dataset }: HTMLElement): number {
  const { wait, seconds } = dataset
  const said = `${wait} ${seconds}`
  const end = ends.get(said) ?? Date.now() + Number(seconds) * 1000
  ends.set(said, end)
  return Math.max(0, end - Date.now())
}

// The frontend's own text node is kept: it would go on to write into one that is no longer there.
function write({ firstChild }: HTMLElement, text: string): void {
  if (firstChild && firstChild.nodeValue !== text) firstChild.nodeValue = text
}

/** Sends nothing yet. The button has kept its focus, which `disabled` would take. */
function holdBack(event: SubmitEvent): void {
  const { submitter } = event
  if (submitter?.dataset.wait !== undefined && leftOf(submitter) > 0) event.preventDefault()
}

/** The form that had the focus has gone, and its page stays: a screen reader goes on at what stands in its place. */
function focusNew(isAnswer: boolean): void {
  const before = card
  card = document.querySelector('[data-sent]')
  const heading = card?.querySelector('h1')
  if (!heading || card === before || document.activeElement !== document.body) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
  // The form was longer than the window, perhaps. A page that is loaded anew, or gone back to, is where it was.
  if (isAnswer) heading.scrollIntoView({ block: 'nearest' })
}
