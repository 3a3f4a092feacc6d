import { closeMenus, showPassword } from './controls.ts'
import { onForgotten } from './history-key.ts'
import { followLink } from './links.ts'
import { sendForm } from './forms.ts'
import { rememberScroll } from './entries.ts'
import { noteLeaving } from './leaving.ts'
import { enliven, reload, seeToTyped } from './parts.ts'
import { holdPresses } from './presses.ts'
import { open } from './shown-page.ts'
import { withSheet } from './sheets.ts'
import { onTyped } from './typed-text.ts'
import { restore } from './visits.ts'
import { wakeUp } from './waking.ts'
import { type GroupName, groupOf } from '../../contract/groups.ts'
import { type Titles, titleOf } from '../../contract/titles/title-of.ts'
import type { Page } from '../../contract/pages.ts'

/**
 * The page client: it takes over a page that the server rendered, and works on the document alone, so that
 * the markup is plain HTML and the same in every frontend. What the markup says:
 *
 * - `<a href>` to this site is followed by the page protocol, unless it has `target`, `download` or `data-native`.
 * - `<form method action>` likewise, with its submitter's name, value and `form…` attributes. While it is in
 *   flight its submit buttons are `aria-busy` and a second submit is not sent. After success on the same page
 *   it is reset, so its fields take their values from `defaultValue`, but for what was typed into them meanwhile.
 * - `data-preserve-scroll` on either keeps scroll and focus where they are.
 * - `<form data-validate>` has a field checked by the server as it is left; its errors come as the page's
 *   `errors`. A field with an error is `aria-invalid="true"`: the first gets the focus when a form fails. A wrong
 *   `autocomplete="current-password"` is emptied, also where the error stands at the `username` above it, and a wrong
 *   code, a field with `code` in its name, is selected; not if it was typed anew since it was sent.
 * - `<button type="button" data-show-password="ID">` shows and hides the password in the input of that ID.
 * - `<details data-menu>` closes on a click outside, on Escape, and on the next page.
 * - The main heading is the page's first `h1`: it gets the focus on a new page unless `[autofocus]` does, or where there is
 *   a mouse the first empty `.field input` of a `.card`; a keyboard on a screen would cover the page.
 *
 * It adds to the body `#announce`, `#progress` and `#toasts`; the stylesheet has their looks, and `live.ts` lifts toasts off
 * what is pressed. `<html data-started>` says that it has taken over: until then links and forms are the browser's own.
 *
 * What is typed is seen to by `typed.ts`, which is loaded with the first sign of somebody. It needs no markup: a form is told by its
 * page, its `action` and `_method`. What differs in it from what the server drew is there again when somebody comes back,
 * but no password, code or file, and nothing once it was sent or reset; see `TypedText`. Text of a user that stands in the
 * shown page so is asked for before the tab is closed. An `autocomplete="username"` takes along who the last one said.
 *
 * What to do without a network is in `offline.ts`, which comes with that sign and with `data-listen`. While there is
 * none a notice stands among the toasts, and goes by itself; in place of a page that cannot be had then, on the way back,
 * `Error` is drawn with status 0, and the page itself once it can be had.
 *
 * What follows is in `live.ts`, which is loaded once a page has a `data-listen` somewhere: a page with the bell does.
 *
 * - `data-listen="notification"`, or several with spaces between them, names the events that the page shows something
 *   of: while the tab is shown it is asked for anew at each of them, and when it may have missed one.
 * - `<time datetime data-relative="Seen {time}">` says how long ago that was, in its language and kept up to date, and
 *   when exactly in the reader's zone as its title; `<time datetime data-day="Expires {time}">` says the reader's day. The
 *   server writes the time in UTC into them, for a browser without JavaScript.
 * - `<button type="button" data-opens="ID">` opens the `<dialog id="ID">`, and has the focus again when it closes. Where it
 *   has no field the focus begins on its `<button formmethod="dialog">`. Escape closes it, and so do `<button formmethod="dialog" formnovalidate>`, after the form's other buttons, and
 *   success of the form in it on the same page. It opens again as it was first. For a browser without JavaScript a
 *   `<details>` with a summary stands before the dialog: show `details[open] + dialog` as a block, and hide
 *   `[data-opens]` and `[formmethod="dialog"]`, under `html:not([data-js])`; else hide the details.
 * - `data-arrived` on an element that a form has made, such as what is shown this once, has it scrolled into view as it
 *   appears; another one in its place is another element.
 * - When what has the focus goes, as a row is removed by its button, the nearest heading has it, without any attribute.
 * - `<input type="radio" value="light|dark|system" data-appearance>` is checked when it is this browser's choice, and
 *   makes it the choice.
 * - `<input type="file" name accept data-crop="ID" data-most="BYTES" data-too-large="…" data-too-wide="…"
 *   data-wrong-type="…">` has the chosen picture cropped in the square `<canvas id="ID" width height tabindex="0" hidden
 *   data-zoom="ID" data-told="… {zoom} … {left} … {top} …">`, whatever it weighs, and sends that square of it, of at most
 *   512 pixels a side, drawn anew. The person moves and zooms the picture there, and with the `<input type="range" min="1"
 *   step="any" value="1">` of the ID in `data-zoom`; `data-told` is what a screen reader is told then. What is no such
 *   picture is not taken, and the page says so at once as the field's error. Where the browser lets no picture be drawn
 *   anew the file itself is sent, and refused over `data-most`. The form ends it when it is reset: by success on the same
 *   page, by its `<button type="reset">`, by Escape. Hide the present picture while the canvas is not `hidden`, and the
 *   rest while it is, with `:has(canvas:not([hidden]))`; give the canvas `touch-action: none`.
 * - `data-drop="ID"` on an element has the file field of that ID take what is dropped there, or pasted on the page while no
 *   text field has the focus. `data-dragged-over` says that it would be taken.
 *
 * What follows is in `countdown.ts`, which is loaded once a page has a `data-sent`.
 *
 * - `data-sent` on the element around what stands in place of a form that was sent: its heading has the focus, which the
 *   form has taken along.
 * - `<button data-wait="TIME" data-seconds="42" data-idle="…">`, a submit button, is not pressed for so long and says how
 *   long still; then it has the text `data-idle`. TIME tells one such wait from another. The server writes how long it is
 *   into it, and as `aria-label`, which does not change each second. When it may be pressed again, that is said in the
 *   element `[data-told]`, an `aria-live`.
 *
 * What follows is in `passkeys.ts`, which is loaded once a page has a `data-passkey`, and in `signals.ts`, which `live.ts`
 * loads once one has a `data-signal`.
 *
 * - `<html data-passkeys>` says that the browser and the address can have passkeys, from before the page paints. Hide what
 *   is only for them, such as `[data-passkey]`, under `html:not([data-passkeys])`.
 * - `<button data-passkey="create|get" data-options="PATH">`, a submit button, has a passkey made or used before its form
 *   is sent: options are fetched from PATH, the person answers the browser, and the form's fields go to its action
 *   (`formaction` counts) as JSON, with `credential` and without passwords. Who closes a dialog around it gives that up.
 *   Give it `formnovalidate` in a form that has fields for another way. Then the page that the answer names is shown
 *   as after any form. What went wrong comes as the page's `errors`, that of the passkey as `errors.credential`: show
 *   it beside the button, as a `role="alert"`.
 * - `<input data-passkey-autofill autocomplete="username webauthn">` offers passkeys from when somebody comes to it; nothing
 *   is asked for before. One that is chosen there is sent as by the `data-passkey="get"` button of the same form, with
 *   `remember` as it is then.
 * - `data-signal="JSON"` on any element tells the browser a `PasskeysSignal` or `UserSignal` (`signals.ts`), whenever
 *   the page shows another than before.
 *
 * What follows is in `codes.ts`, which is loaded once a page has one of these attributes but `data-fields` and
 * `data-print`: those stand beside others of them.
 *
 * - `<input data-submit-at="6">` sends its form once it holds so many digits, and nothing else but spaces.
 * - `<details data-fields>` has the focus in its first field as it is opened.
 * - `<button type="button" data-reload="PROP">` asks for that prop, or for several with spaces between them, which only a
 *   partial reload carries, such as `recoveryCodes`. The page shows it, and it is not kept in the history.
 * - `<button type="button" data-copy="ID" data-done="…" data-failed="…">` copies the text of the element of that ID, which
 *   is its `data-text` or else what it shows, line by line. A toast says so, or that it could not; then it is selected.
 * - `<button type="button" data-download="ID" data-name="codes.txt">` saves the same text as a file of that name.
 * - `<button type="button" data-print>` prints the page: what is not to be on paper is for the stylesheet to hide. Hide
 *   these four buttons under `html:not([data-js])`.
 */
export interface Drawing<Group> {
  /** The pages of each group with their titles, in a file of their own that is loaded when the first of them is shown. */
  readonly groups: Readonly<Record<GroupName, () => Group | Promise<Group>>>
  /** Draws a page of a group into `#app`, the first over the server's markup. */
  draw(page: Page, group: Group, how: { readonly first: boolean }): void | Promise<void>
}

/** What the client itself needs of a group. */
interface Titled {
  readonly titles: Partial<Titles<GroupName>>
}

/** Takes over the page that the document carries. */
export function startClient<Group extends Titled>(drawing: Drawing<Group>): Promise<void> {
  const started = start(drawing)
  void holdPresses(started)
  return started
}

async function start<Group extends Titled>(drawing: Drawing<Group>): Promise<void> {
  const embedded = document.querySelector('#page')
  if (!embedded?.textContent) throw new Error('No #page')
  const first = JSON.parse(embedded.textContent) as Page
  // It would stay in the document after a logout, with the user in it.
  embedded.remove()
  noteLeaving()
  await open(async (page) => {
    const name = groupOf(page.component)
    const group = await withSheet(name, drawing.groups[name]())
    return async (how) => {
      await drawing.draw(page, group, how)
      if (!how.first) void holdPresses(enliven())
      return titleOf(group.titles, page)
    }
  }, first)
  document.addEventListener('click', (event) => {
    closeMenus(event)
    showPassword(event)
    followLink(event)
  })
  document.addEventListener('keydown', closeMenus)
  document.addEventListener('submit', (event) => void sendForm(event))
  addEventListener('popstate', restore)
  addEventListener('scroll', rememberScroll)
  onForgotten(() => void reload({ isUrgent: true }))
  wakeUp()
  onTyped(seeToTyped)
  document.documentElement.dataset.started = ''
  // Not before what is heard here: a field that is full already has its form sent at once.
  await enliven()
}
