import { typedWords as words } from '#words/typed'
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
 * The text that was typed in this tab and not sent, by the user who typed it; a guest is 0. It is filled in again on
 * the page that it was typed on. When a user's login ends, the text waits in memory until they log in again; it is
 * dropped when somebody else logs in, or the user logs out.
 */
export class TypedText {
  readonly #client: Client
  readonly #byUser = new Map<number, Drafts>()
  readonly #filled = new WeakSet<HTMLFormElement>()
  #user = 0
  #loggedOut: string | null
  /** The email that was last typed into a field for a username: it is filled into the next form that asks for one. */
  #name = ''
  readonly #sent = new WeakMap<HTMLFormElement, Sent>()
  /** A form that was filled in again after its reset, until the next page is drawn. */
  #begun: HTMLFormElement | undefined
  /** The form that led to the document that is loaded next, as it was sent. */
  #left: Sent | undefined
  /** The writes, one after the other. Never rejects: a failed write must stop neither later ones nor a form. */
  #writing: Promise<unknown>

  constructor(client: Client) {
    this.#client = client
    this.#loggedOut = localStorage.getItem(client.loggedOutAt)
    this.#user = this.#shownUser()
    this.#writing = this.#recall(this.#user).catch(() => {})
    // Notes what was typed and sent before this module came.
    for (const form of document.forms) this.note(form)
    this.#sendBefore([...document.forms].filter((form) => form.querySelector('[aria-busy="true"]')))
  }

  /** A page is shown: drops what is not for its user, and fills in what was typed there before. */
  show(): void {
    this.#settleUser()
    // Noted anew: the new page may have drawn other values, and a draft holds what differs from these.
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

  /** Fills in what was typed before, and tells it where it could be taken for what is saved. */
  #fillAgain(form: HTMLFormElement, drafts: Drafts): void {
    if (fillIn(form, drafts[this.#key(form)] ?? {})) this.#client.toast('error', words.before)
  }

  /** Keeps what is typed into a form of the page. */
  note(form: HTMLFormElement): void {
    if (!form.closest('#app')) return
    this.#filled.add(form)
    const draft = readDraft(form)
    const name = userField(form)
    if (name) this.#name = name.value
    this.#keep(this.#key(form), draft)
  }

  /** Notes a form as it is sent. */
  send(form: HTMLFormElement, draft = readDraft(form)): void {
    const { component } = this.#client.shown()
    this.#sent.set(form, { component, key: formKey(component, form), draft })
  }

  /**
   * Notes forms that were sent before this module came. What a form was sent with is known if only one is in flight.
   */
  #sendBefore(forms: readonly HTMLFormElement[]): void {
    const { sent } = this.#client.typing
    for (const form of forms)
      this.send(form, sent && forms.length === 1 ? readSent(form, sent) : readDraft(form))
  }

  /**
   * A form that was sent has its answer. What was sent is dropped if the answer is the form's own page, or any page
   * with a success. Returns a function for after the form's reset: it fills in again what was typed since the form was
   * sent.
   */
  answered(form: HTMLFormElement, answer: Page): (() => void) | undefined {
    const sent = this.#sent.get(form)
    this.#sent.delete(form)
    if (!sent || hasErrors(answer)) return undefined
    // If the person went back and forward meanwhile, another element is this form now.
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
   * A form led to a document that is to be loaded: tells it which form, so that it can drop what was sent. Resolves
   * once that is kept.
   */
  elsewhere(form: HTMLFormElement): Promise<unknown> {
    this.#left = this.#sent.get(form)
    this.#write()
    return this.#writing
  }

  /** Drops the draft of a form that was reset: it was sent, or given up. */
  drop(form: HTMLFormElement): void {
    this.#keep(this.#key(form), {})
  }

  /** Whether a user has typed text on the page that is not sent. Boxes do not count: they are soon ticked again. */
  isAtStake(): boolean {
    const isText = (form: HTMLFormElement) =>
      Object.values(this.#drafts[this.#key(form)] ?? {}).some((kept) => typeof kept === 'string')
    return this.#user !== 0 && this.#forms().some((form) => form.checkVisibility() && isText(form))
  }

  /** Whether something is typed on the page that would be lost by loading it anew, such as a password. */
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
    // Logged out, here or in another tab. After a login that ended otherwise, what was typed is kept.
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

  /** Takes over what this tab's document before this one kept: before a reload, or before the person left the site. */
  async #recall(user: number): Promise<void> {
    const kept = await readKept(this.#client)
    if (kept?.user !== user || user !== this.#user) return
    const { sent } = kept
    const drafts: Drafts = { ...kept.drafts }
    if (sent && isDone(sent, this.#client.shown()))
      drafts[sent.key] = unsent(drafts[sent.key] ?? {}, sent)
    this.#byUser.set(user, { ...drafts, ...this.#drafts })
    for (const form of this.#forms()) this.#fillAgain(form, drafts)
    // Written without `sent`: it was for this document, and not for the next.
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
 * Whether a form was a success by the page that it led to: without errors, and its own page or one that tells success.
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
