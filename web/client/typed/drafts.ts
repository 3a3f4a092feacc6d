import { typedWords as words } from '#words/client/typed'
import type { Page } from '../../contract/pages.ts'
import {
  caretIn,
  type Draft,
  fillIn,
  formKey,
  hasUnkept,
  readDraft,
  readSent,
  userField,
} from './fields.ts'
import { readKept, type Sent, writeKept } from './kept-drafts.ts'
import type { Client } from '../core/client-api.ts'

type Drafts = Record<string, Draft>

/**
 * The text typed in this tab and not sent, by user (0 is a guest). It is restored on the page it was typed
 * on. When a login ends, the text waits in memory until the same user logs in again; it is dropped when
 * another user logs in, or the user logs out.
 */
export class TypedText {
  readonly #client: Client
  readonly #byUser = new Map<number, Drafts>()
  readonly #filled = new WeakSet<HTMLFormElement>()
  #user = 0
  #loggedOut: string | null
  /** The email last typed into a username field, which prefills the next form with such a field. */
  #name = ''
  readonly #sent = new WeakMap<HTMLFormElement, Sent>()
  /** A form that was refilled after its reset, until the next page is drawn. */
  #begun: HTMLFormElement | undefined
  /** The form that led to the document being loaded next, as it was sent. */
  #left: Sent | undefined
  /** The pending writes, in order. Never rejects: a failed write must block neither later ones nor a form. */
  #writing: Promise<unknown>

  constructor(client: Client) {
    this.#client = client
    this.#loggedOut = localStorage.getItem(client.loggedOutAt)
    this.#user = this.#shownUser()
    this.#writing = this.#recall(this.#user).catch(() => {})
    // Records what was typed and sent before this module was loaded.
    for (const form of document.forms) this.note(form)
    this.#sendBefore([...document.forms].filter((form) => form.querySelector('[aria-busy="true"]')))
  }

  /** Handles a newly drawn page: drops the drafts of other users and restores text typed there before. */
  show(): void {
    this.#settleUser()
    // Recorded again: the new page may have drawn other values, and a draft is the difference from these.
    if (this.#begun) this.note(this.#begun)
    this.#begun = undefined
    for (const form of this.#forms()) {
      if (this.#filled.has(form)) continue
      this.#filled.add(form)
      const name = userField(form)
      if (name && !name.value && this.#name) name.value = this.#name
      this.#fillAgain(form, this.#drafts)
    }
  }

  /** Restores a draft, and says so where it could be mistaken for saved values. */
  #fillAgain(form: HTMLFormElement, drafts: Drafts): void {
    if (fillIn(form, drafts[this.#key(form)] ?? {})) this.#client.toast('error', words.before)
  }

  /** Records the draft of a form on the page. */
  note(form: HTMLFormElement): void {
    if (!form.closest('#app')) return
    this.#filled.add(form)
    const draft = readDraft(form)
    const name = userField(form)
    if (name) this.#name = name.value
    this.#keep(this.#key(form), draft)
  }

  /** Records a form as it is sent. */
  send(form: HTMLFormElement, draft = readDraft(form)): void {
    const { component } = this.#client.shown()
    this.#sent.set(form, { component, key: formKey(component, form), draft })
  }

  /**
   * Records forms sent before this module was loaded. What was sent is known only of a single one in flight.
   */
  #sendBefore(forms: readonly HTMLFormElement[]): void {
    const { sent } = this.#client.typing
    for (const form of forms)
      this.send(form, sent && forms.length === 1 ? readSent(form, sent) : readDraft(form))
  }

  /**
   * Handles the answer to a form. What was sent is dropped if the answer is the form's own page, or any page
   * with a success message. Returns a function to call after the form's reset, which restores what was typed
   * since the form was sent.
   */
  answered(form: HTMLFormElement, answer: Page): (() => void) | undefined {
    const sent = this.#sent.get(form)
    this.#sent.delete(form)
    if (!sent || hasErrors(answer)) return undefined
    // If the person went back and forward meanwhile, this form is another element now.
    const there = form.isConnected
      ? form
      : this.#forms().find((each) => this.#key(each) === sent.key)
    const since = unsent(there ? readDraft(there, sent.draft) : readDraft(form), sent)
    const setCaret = caretIn(there ?? form)
    const begin = () => {
      fillIn(there ?? form, since)
      setCaret()
      this.#begun = there
    }
    if (isDone(sent, answer)) {
      if (there && there !== form) {
        there.reset()
        begin()
      }
      this.#keep(sent.key, since)
    }
    return begin
  }

  /**
   * Handles a form that leads to a new document: tells that document which form was sent, so that it can drop
   * the draft. Resolves once that is stored.
   */
  elsewhere(form: HTMLFormElement): Promise<unknown> {
    this.#left = this.#sent.get(form)
    this.#write()
    return this.#writing
  }

  /** Drops the draft of a form that was reset: it was sent, or cancelled. */
  drop(form: HTMLFormElement): void {
    this.#keep(this.#key(form), {})
  }

  /** Whether a user has unsent text on the page. Checkboxes do not count: they are quickly ticked again. */
  isAtStake(): boolean {
    const isText = (form: HTMLFormElement) =>
      Object.values(this.#drafts[this.#key(form)] ?? {}).some((kept) => typeof kept === 'string')
    return this.#user !== 0 && this.#forms().some((form) => form.checkVisibility() && isText(form))
  }

  /** Whether something typed on the page would be lost by a reload, such as a password. */
  hasUnkept(): boolean {
    // Visible forms only: what a browser has filled into a closed dialog is no loss.
    return this.#forms().some((form) => form.checkVisibility() && hasUnkept(form))
  }

  get #drafts(): Drafts {
    const there = this.#byUser.get(this.#user) ?? {}
    this.#byUser.set(this.#user, there)
    return there
  }

  #settleUser(): void {
    const user = this.#shownUser()
    const loggedOut = localStorage.getItem(this.#client.loggedOutAt)
    // Logged out, here or in another tab. When a login ends otherwise, what was typed is kept.
    const isOut = loggedOut !== this.#loggedOut
    this.#loggedOut = loggedOut
    if (isOut) this.#byUser.clear()
    if (user !== this.#user) {
      this.#user = user
      this.#name = ''
      if (user !== 0)
        for (const other of this.#byUser.keys()) if (other !== user) this.#byUser.delete(other)
    } else if (!isOut) return
    this.#write()
  }

  #keep(key: string, draft: Draft): void {
    if (Object.keys(draft).length > 0) this.#drafts[key] = draft
    else delete this.#drafts[key]
    this.#write()
  }

  #shownUser(): number {
    return this.#client.shown().props.auth.user?.id ?? 0
  }

  #forms(): HTMLFormElement[] {
    return [...document.querySelectorAll<HTMLFormElement>('#app form')]
  }

  #key(form: HTMLFormElement): string {
    return formKey(this.#client.shown().component, form)
  }

  /** Restores what this tab's previous document stored before a reload, or before leaving the site. */
  async #recall(user: number): Promise<void> {
    const kept = await readKept(this.#client)
    if (kept?.user !== user || user !== this.#user) return
    const { sent } = kept
    const drafts: Drafts = { ...kept.drafts }
    if (sent && isDone(sent, this.#client.shown()))
      drafts[sent.key] = unsent(drafts[sent.key] ?? {}, sent)
    this.#byUser.set(user, { ...drafts, ...this.#drafts })
    for (const form of this.#forms()) this.#fillAgain(form, drafts)
    // Written without `sent`, which was meant for this document only.
    if (sent) this.#write()
  }

  #write(): void {
    this.#writing = this.#writing
      .then(() =>
        writeKept(this.#client, { user: this.#user, drafts: this.#drafts, sent: this.#left }),
      )
      .catch(() => {})
  }
}

/**
 * Whether a form succeeded, judged by its answer: no errors, and the form's own page or a success message.
 */
function isDone(sent: Sent, page: Page): boolean {
  if (hasErrors(page)) return false
  return page.component === sent.component || Boolean(page.flash.success)
}

function hasErrors({ props }: Page): boolean {
  return Object.keys(props.errors).length > 0
}

/** The part of a draft that differs from what was sent. */
function unsent(draft: Draft, sent: Sent): Draft {
  return Object.fromEntries(
    Object.entries(draft).filter(([field, kept]) => kept !== sent.draft[field]),
  )
}
