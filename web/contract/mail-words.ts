/** What a mail says, beside its greeting and its link. Each is text, never HTML. */
export interface MailWords {
  readonly subject: string
  /** What it is about: paragraphs above the link. */
  readonly about: readonly string[]
  /** What there is to know of it. */
  readonly facts?: readonly Fact[]
  /** What the link does, as its button says it. */
  readonly action: string
  /** How long the link is good, if it ends. */
  readonly until?: string
  /** What to do if it was not you: of whatever tells of an account, or leads into one. */
  readonly notYou?: string
  /** What stands before the link to set a new password, if that helps. */
  readonly reset?: string
}

/** `typed`: what somebody typed, as which it is not told to everyone. */
export type Fact = readonly [label: string, value: string, typed?: 'name' | 'email']
