import { brandName } from '../../../web/brand/brand.ts'
import { isolated } from '../../../web/contract/words/isolated.ts'
import type { Fact, MailWords } from '../../../web/contract/mail-words.ts'
import { type Frame, helpText, layoutWords, legalLinks } from './frame.ts'
import { asHtml } from './html.ts'
import { readsAsLink } from './reads-as-link.ts'
import type { Mailbox, Message } from '../../base/mail.ts'

/** The recipient of a mail, and what surrounds its text. */
export interface MailTo extends Frame {
  readonly to: Mailbox
}

/**
 * Returns the mailbox of an account. It has a name only once its email is verified: until then anybody may
 * have entered somebody else's email with a made-up name (security rule 23).
 */
export function mailboxOf(user: {
  readonly name: string
  readonly email: string
  readonly emailVerifiedAt: Date | null
}): Mailbox {
  return { address: user.email, ...(user.emailVerifiedAt && { name: user.name }) }
}

/** Lays out every mail: greeting, subject matter, link as button and text, what to do if it was not you. */
export function layOut(words: MailWords, { to, ...frame }: MailTo): Message {
  const { address, name = '' } = to
  const isGreeted = name.trim() !== '' && !readsAsLink(name)
  const { greeting } = layoutWords(frame)
  const called = isGreeted ? name.trim() : undefined
  const safeWords = { ...words, facts: words.facts?.filter((fact) => mayBeMailed(fact, to)) }
  return {
    // Mail programs show the name here too, so it must not read as a link.
    to: [{ address, ...(isGreeted && { name }) }],
    subject: words.subject,
    // The name is not isolated here: text is read in terminals too, which show isolating characters.
    text: asText(safeWords, greeting(called), frame),
    html: asHtml(safeWords, greeting(called && isolated(called)), frame),
  }
}

/** Allows typed text only to a proven address, and never a name that reads as a link (security rule 23). */
function mayBeMailed([, value, typed]: Fact, to: Mailbox): boolean {
  if (typed === undefined) return true
  return to.name !== undefined && (typed === 'email' || !readsAsLink(value))
}

function asText(words: MailWords, greeting: string, frame: Frame): string {
  const { link, resetLink, links } = frame
  const { about, facts = [], action, until, notYou, reset } = words
  const parts = [
    greeting,
    ...about,
    facts.map(([label, value]) => `${label}: ${value}`).join('\n'),
    // A link stands on its own line, so that no neighbouring text becomes part of it.
    `${action}:\n${link}`,
    until,
    notYou,
    reset && resetLink && `${reset}\n${resetLink}`,
    links.support && helpText(frame, links.support),
    ['-- ', brandName, ...legalLinks(frame).map(([label, url]) => `${label}: ${url}`)].join('\n'),
  ]
  return `${parts.filter(Boolean).join('\n\n')}\n`
}
