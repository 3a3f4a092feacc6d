/** The content of a mail besides greeting and link. All of it is text, never HTML. */
export interface MailWords {
  readonly subject: string
  /** What the mail is about: paragraphs above the link. */
  readonly about: readonly string[]
  /** Rows of a label and a value, such as when and from where something was done. */
  readonly facts?: readonly Fact[]
  /** The label of the link's button. */
  readonly action: string
  /** How long the link works, if it expires. */
  readonly until?: string
  /** What to do if it was not you: in every mail about an account, or with a link into one. */
  readonly notYou?: string
  /** The sentence before the link to set a new password, where a new password helps. */
  readonly reset?: string
}

/**
 * A labelled value. `typed`: somebody typed it. It is omitted in mails to people who have not proven their
 * address, and a name that looks like a link is omitted in all mails.
 */
export type Fact = readonly [label: string, value: string, typed?: 'name' | 'email']
