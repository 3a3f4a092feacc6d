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
 * What was typed in this tab and is not sent, by the user who typed it; a guest is 0. It is there again on the page that
 * it was typed on. Of a user whose login ended it waits in memory until they have logged in again, and is gone once
 * somebody else has, or the user has logged out.
 */
export class TypedText {
  readonly #client: Client
  readonly #byUser = new Map<number, Drafts>()
  readonly #filled = new WeakSet<HTMLFormElement>()
  #user = 0
  #loggedOut: string | null
  /** Who a guest said to be, which goes along to the next form that asks. */
  #name = ''
  readonly #sent = new WeakMap<HTMLFormElement, Sent>()
  /** What began anew, and is drawn next. */
  #begun: HTMLFormElement | undefined
  /** What led to the document that is loaded next. */
  #left: Sent | undefined
  /** Never fails: what cannot be kept must keep nothing after it from being kept, nor a form from where it leads. */
  #writing: Promise<unknown>

  constructor(client: Client) {
    this.#client = client
    this.#loggedOut = localStorage.getItem(client.loggedOutAt)
    this.#user = this.#shownUser()
    this.#writing = this.#recall(this.#user).catch(() => {})
    // Of a hand that was quicker than the module.
    for (const form of document.forms) this.note(form)
    this.#sendBefore([...document.forms].filter((form) => form.querySelector('[aria-busy="true"]')))
  }

  /** A page is shown: drops what is not for its user, and fills in what was typed there before. */
  show(): void {
    this.#settleUser()
    // What differs now is another, since what is drawn is.
    if (this.#begun) this.note(this.#begun)
    this.#begun = undefined
    for (const form of this.#forms()) {
      if (this.#filled.has(form)) continue
      this.#filled.add(form)
      const name = userField(form)
      if (name && !name.value && this.#name) name.value = this.#name
      fillIn(form, this.#drafts[this.#key(form)] ?? {})
    }
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

  /** Notes what was sent. */
  send(form: HTMLFormElement, draft = readDraft(form)): void {
    const { component } = this.#client.shown()
    this.#sent.set(form, { component, key: formKey(component, form), draft })
  }

  /** Notes what was sent before the module came. Somebody may have typed since: of one form it is known what it had. */
  #sendBefore(forms: readonly HTMLFormElement[]): void {
    const { sent } = this.#client.typing
    for (const form of forms)
      this.send(form, sent && forms.length === 1 ? readSent(form, sent) : readDraft(form))
  }

  /**
   * A form that was sent has its answer: what was sent is done with where its own page is shown, or success is told
   * elsewhere. Returns what fills in again, once the form is reset, what was typed into it since.
   */
  answered(form: HTMLFormElement, answer: Page): (() => void) | undefined {
    const sent = this.#sent.get(form)
    this.#sent.delete(form)
    if (!sent || hasErrors(answer)) return undefined
    // On the ways back and forward another one took its place.
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
   * What a form led to is a document to be loaded: that forgets what was sent, if it is done with. Resolves once it is kept
   * for it.
   */
  elsewhere(form: HTMLFormElement): Promise<unknown> {
    this.#left = this.#sent.get(form)
    this.#write()
    return this.#writing
  }

  /** The form begins anew: it was sent, or given up. */
  drop(form: HTMLFormElement): void {
    this.#keep(this.#key(form), {})
  }

  /** Whether a user has typed text on the page that is not sent. What was only ticked is soon ticked again. */
  isAtStake(): boolean {
    const isText = (form: HTMLFormElement) =>
      Object.values(this.#drafts[this.#key(form)] ?? {}).some((kept) => typeof kept === 'string')
    return this.#user !== 0 && this.#forms().some((form) => form.checkVisibility() && isText(form))
  }

  /** Whether something is typed on the page that is gone once it is loaded anew. */
  hasUnkept(): boolean {
    // What a browser has filled into a dialog that nobody opened, nobody misses.
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
    // Here or in another tab. Whose login ended without them finds what they typed.
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

  /** What the document before this one kept of the tab, after a reload or on the way back from another site. */
  async #recall(user: number): Promise<void> {
    const kept = await readKept(this.#client)
    if (kept?.user !== user || user !== this.#user) return
    const { sent } = kept
    const drafts: Drafts = { ...kept.drafts }
    if (sent && isDone(sent, this.#client.shown()))
      drafts[sent.key] = unsent(drafts[sent.key] ?? {}, sent)
    this.#byUser.set(user, { ...drafts, ...this.#drafts })
    for (const form of this.#forms()) fillIn(form, drafts[this.#key(form)] ?? {})
    // For the next document no form led to this one.
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

/** Whether a form is done with by the page that it led to: its own, without errors, or one that tells success. */
function isDone(sent: Sent, page: Page): boolean {
  if (hasErrors(page)) return false
  return page.component === sent.component || Boolean(page.flash.success)
}

function hasErrors({ props }: Page): boolean {
  return Object.keys(props.errors).length > 0
}

/** What is no longer as it was sent. */
function unsent(draft: Draft, sent: Sent): Draft {
  return Object.fromEntries(
    Object.entries(draft).filter(([field, kept]) => kept !== sent.draft[field]),
  )
}
