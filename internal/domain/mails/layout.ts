import { appName } from '../../../web/contract/name.ts'
import { mailLayout, type MailWords } from '../../../web/contract/words/mails.ts'
import type { Message } from '../../base/mail.ts'

/** A mail without its recipients. */
export type Mail = Omit<Message, 'to'>

/** Whom a mail greets, and the whole address of what it is about. */
export interface MailTo {
  readonly name: string
  readonly link: string
}

/** The one layout: greeting, what it is about, the link as button and as text, and what to do if it was not you. */
export function layOut(words: MailWords, { name, link }: MailTo): Mail {
  const greeting = mailLayout.greeting(greetable(name))
  return {
    subject: words.subject,
    text: asText(words, greeting, link),
    html: asHtml(words, greeting, link),
  }
}

/**
 * The name, unless it has a web address in it. Anybody may give a name of their making with an email of somebody
 * else's, and mail programs make links of what looks like one.
 */
function greetable(name: string): string | undefined {
  return /:\/\/|\p{L}{2,}\.\p{L}{2,}/u.test(name) ? undefined : name.trim() || undefined
}

function asText({ about, action, until, notYou }: MailWords, greeting: string, link: string) {
  // The link has a line of its own, so that nothing beside it becomes a part of it.
  const parts = [greeting, ...about, `${action}:\n${link}`, until, notYou, `-- \n${appName}`]
  return `${parts.join('\n\n')}\n`
}

/**
 * Tables and inline styles, since mail programs know little else. Text has the program's own colours, so that it is
 * readable on a light and on a dark ground; only the button brings both of its own. Nothing is fetched.
 */
function asHtml(
  { subject, about, action, until, notYou }: MailWords,
  greeting: string,
  link: string,
) {
  const href = escaped(link)
  const paragraphs = [greeting, ...about].map(
    (text) => `<p style="${paragraph}">${escaped(text)}</p>`,
  )
  return `<!doctype html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<title>${escaped(subject)}</title>
<style>
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) { .button { background: #63d6ab !important; color: #04231a !important; } }
</style>
</head>
<body style="${body}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td align="center" style="padding: 32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="${column}"><tr><td>
<p style="${brand}">${escaped(appName)}</p>
<h1 style="${heading}">${escaped(subject)}</h1>
${paragraphs.join('\n')}
<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin: 28px 0 12px"><tr><td class="button" bgcolor="#0b6b4f" style="${ground}"><a class="button" href="${href}" target="_blank" style="${button}">${escaped(action)}</a></td></tr></table>
<p style="${small}">${escaped(until)}</p>
<p style="${small}; margin-top: 24px">${escaped(mailLayout.orCopy)}<br><a href="${href}" target="_blank" style="${address}">${href}</a></p>
<p style="${foot}">${escaped(notYou)}</p>
<p style="${small}">${escaped(mailLayout.sender)}</p>
</td></tr></table>
</td></tr></table>
</body>
</html>
`
}

const body = `margin: 0; padding: 0; font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif; -webkit-text-size-adjust: 100%`
const column = 'max-width: 520px; text-align: left; overflow-wrap: anywhere; word-break: break-word'
const brand = 'margin: 0 0 24px; font-size: 18px; font-weight: 650; letter-spacing: -0.01em'
const heading = 'margin: 0 0 16px; font-size: 24px; line-height: 1.25; letter-spacing: -0.02em'
const paragraph = 'margin: 0 0 16px'
const ground = 'background: #0b6b4f; border-radius: 10px'
const button =
  'display: inline-block; padding: 13px 22px; background: #0b6b4f; border-radius: 10px; color: #ffffff; font-weight: 600; line-height: 1.25; text-decoration: none'
const small = 'margin: 0 0 8px; font-size: 14px'
const address = 'color: inherit; text-decoration: underline; word-break: break-all'
const foot = `margin: 24px 0 16px; padding-top: 20px; border-top: 1px solid #7f8f87; font-size: 14px`

const marks: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (mark) => marks[mark] ?? '')
}
