import { brandName } from '../../../web/brand/brand.ts'
import { type Fact, mailLayout, type MailWords } from '#words/mails'
import { escapeHtml } from '../../base/escape.ts'
import { readsAsLink } from './reads-as-link.ts'
import type { Mailbox, Message } from '../../base/mail.ts'

/** Whom a mail goes to, and the whole addresses that it leads to. */
export interface MailTo {
  readonly to: Mailbox
  /** Of what it is about. */
  readonly link: string
  /** Where a new password is asked for: in mails whose words name it. */
  readonly resetLink?: string
}

/**
 * The mailbox of an account. It has a name only once its email is verified: before that anybody may have given the
 * email of somebody else, with a name of their own making (security rule 23).
 */
export function mailboxOf(user: {
  readonly name: string
  readonly email: string
  readonly emailVerifiedAt: Date | null
}): Mailbox {
  return { address: user.email, ...(user.emailVerifiedAt && { name: user.name }) }
}

/** The one layout: greeting, what it is about, the link as button and as text, and what to do if it was not you. */
export function layOut(words: MailWords, { to, ...links }: MailTo): Message {
  const { address, name = '' } = to
  const isGreeted = name.trim() !== '' && !readsAsLink(name)
  const greeting = mailLayout.greeting(isGreeted ? name.trim() : undefined)
  const told = { ...words, facts: words.facts?.filter((fact) => isTold(fact, to)) }
  return {
    // Mail programs show the name here too.
    to: [{ address, ...(isGreeted && { name }) }],
    subject: words.subject,
    text: asText(told, greeting, links),
    html: asHtml(told, greeting, links),
  }
}

/** What somebody typed goes only to who has proven the address, and no name that would be a link (security rule 23). */
function isTold([, value, typed]: Fact, to: Mailbox): boolean {
  if (typed === undefined) return true
  return to.name !== undefined && (typed === 'email' || !readsAsLink(value))
}

type Links = Omit<MailTo, 'to'>

function asText(words: MailWords, greeting: string, { link, resetLink }: Links): string {
  const { about, facts = [], action, until, notYou, reset } = words
  const parts = [
    greeting,
    ...about,
    facts.map(([label, value]) => `${label}: ${value}`).join('\n'),
    // A link has a line of its own, so that nothing beside it becomes a part of it.
    `${action}:\n${link}`,
    until,
    notYou,
    reset && resetLink && `${reset}\n${resetLink}`,
    `-- \n${brandName}`,
  ]
  return `${parts.filter(Boolean).join('\n\n')}\n`
}

/**
 * Tables and inline styles, since mail programs know little else. Text has the program's own colours, so that it is
 * readable on a light and on a dark ground; only the button brings both of its own. Nothing is fetched.
 */
function asHtml(words: MailWords, greeting: string, { link, resetLink }: Links): string {
  const { subject, about, action, until, notYou, reset } = words
  const paragraphs = [greeting, ...about].map(
    (text) => `<p style="${paragraph}">${escapeHtml(text)}</p>`,
  )
  return `<!doctype html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<title>${escapeHtml(subject)}</title>
<style>
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) { .button { background: #63d6ab !important; color: #04231a !important; } }
</style>
</head>
<body style="${body}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td align="center" style="padding: 32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="${column}"><tr><td>
<p style="${brand}">${escapeHtml(brandName)}</p>
<h1 style="${heading}">${escapeHtml(subject)}</h1>
${paragraphs.join('\n')}${factsHtml(words)}
<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin: 28px 0 12px"><tr><td class="button" bgcolor="#0b6b4f" style="${ground}"><a class="button" href="${escapeHtml(link)}" target="_blank" style="${button}">${escapeHtml(action)}</a></td></tr></table>
${until ? `<p style="${small}">${escapeHtml(until)}</p>\n` : ''}<p style="${small}; margin-top: 24px">${escapeHtml(mailLayout.orCopy)}<br>${linkHtml(link)}</p>
<p style="${foot}">${escapeHtml(notYou)}</p>${reset && resetLink ? `\n<p style="${small}; margin-bottom: 16px">${escapeHtml(reset)}<br>${linkHtml(resetLink)}</p>` : ''}
<p style="${small}">${escapeHtml(mailLayout.sender)}</p>
</td></tr></table>
</td></tr></table>
</body>
</html>
`
}

function factsHtml({ facts = [] }: MailWords): string {
  if (facts.length === 0) return ''
  const rows = facts.map(
    ([label, value]) =>
      `<tr><th scope="row" align="left" valign="top" style="${factLabel}">${escapeHtml(label)}</th><td valign="top" style="${factValue}">${escapeHtml(value)}</td></tr>`,
  )
  return `\n<table cellpadding="0" cellspacing="0" border="0" style="margin: 0 0 16px">${rows.join('')}</table>`
}

function linkHtml(link: string): string {
  const href = escapeHtml(link)
  return `<a href="${href}" target="_blank" style="${address}">${href}</a>`
}

const body = `margin: 0; padding: 0; font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif; -webkit-text-size-adjust: 100%`
const column = 'max-width: 520px; text-align: left; overflow-wrap: anywhere; word-break: break-word'
const brand = 'margin: 0 0 24px; font-size: 18px; font-weight: 650; letter-spacing: -0.01em'
const heading = 'margin: 0 0 16px; font-size: 24px; line-height: 1.25; letter-spacing: -0.02em'
const paragraph = 'margin: 0 0 16px'
const factLabel = 'padding: 3px 20px 3px 0; font-weight: 400; white-space: nowrap; opacity: 0.75'
const factValue = 'padding: 3px 0; font-weight: 650'
const ground = 'background: #0b6b4f; border-radius: 10px'
const button =
  'display: inline-block; padding: 13px 22px; background: #0b6b4f; border-radius: 10px; color: #ffffff; font-weight: 650; line-height: 1.25; text-decoration: none'
const small = 'margin: 0 0 8px; font-size: 14px'
const address = 'color: inherit; text-decoration: underline; word-break: break-all'
const foot = `margin: 24px 0 16px; padding-top: 20px; border-top: 1px solid #7f8f87; font-size: 14px`
