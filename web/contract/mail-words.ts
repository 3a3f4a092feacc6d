/** What a mail says, beside its greeting and its link. Each is text, never HTML. */
export interface MailWords {
  readonly subject: string
  /** What the mail is about: paragraphs above the link. */
  readonly about: readonly string[]
  /** Rows of a label and a value, such as when and from where something was done. */
  readonly facts?: readonly Fact[]
  /** What the link does, as its button says it. */
  readonly action: string
  /** How long the link works, if it expires. */
  readonly until?: string
  /** What to do if it was not you: in every mail that tells of an account, or leads into one. */
  readonly notYou?: string
  /** The sentence before the link to set a new password, where a new password helps. */
  readonly reset?: string
}

/**
 * `typed`: the value is what somebody typed. It is left out of mails to people who have not proven their address, and a
 * name that reads as a link out of all mails.
 */
export type Fact = readonly [label: string, value: string, typed?: 'name' | 'email']
