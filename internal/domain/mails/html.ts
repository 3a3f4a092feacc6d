import { brandName } from '../../../web/brand/brand.ts'
import { colours } from '../../../web/brand/colours.ts'
import { initials } from '../../../web/contract/view/initials.ts'
import { languages } from '../../../web/contract/languages.ts'
import { isolated } from '../../../web/contract/words/isolated.ts'
import { escapeHtml } from '../../base/text/escape.ts'
import { type Frame, helpText, layoutWords, legalLinks } from './frame.ts'
import type { MailWords } from '../../../web/contract/mail-words.ts'
import type { SupportAddress } from '../../base/settings/config.ts'

/**
 * Uses tables and inline styles, since mail programs support little else. Text keeps the program's colours,
 * so that it is readable on light and dark backgrounds; only the button and the mark set both of their own.
 * Fetches nothing.
 */
export function asHtml(words: MailWords, greeting: string, frame: Frame): string {
  const { subject, about, action } = words
  const paragraphs = [greeting, ...about].map((text) => paragraph(text, margin))
  return `<!doctype html>
<html lang="${frame.language}" dir="${languages[frame.language].direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<title>${escapeHtml(subject)}</title>
<style>
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) { .brand { background: ${colours.accent[1]} !important; color: ${colours.onAccent[1]} !important; } }
</style>
</head>
<body style="${body}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td align="center" style="padding: 32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="${column}"><tr><td>
${brandHtml()}
<h1 style="${heading}">${escapeHtml(subject)}</h1>
${paragraphs.join('\n')}${factsHtml(words)}
<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin: 28px 0 12px"><tr><td class="brand" bgcolor="${accent}" style="${ground}"><a class="brand" href="${escapeHtml(frame.link)}" target="_blank" style="${button}">${escapeHtml(action)}</a></td></tr></table>
${belowButton(words, frame).join('\n')}
</td></tr></table>
</td></tr></table>
</body>
</html>
`
}

/** Returns the mark without a picture, which mail programs block: the first letter on a rounded square. */
function brandHtml(): string {
  const letter = escapeHtml(initials(brandName.split(/\s/)[0] ?? ''))
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin: 0 0 28px"><tr><td class="brand" aria-hidden="true" align="center" width="32" height="32" bgcolor="${accent}" style="${tile}">${letter}</td><td style="${name}">${escapeHtml(brandName)}</td></tr></table>`
}

function factsHtml({ facts = [] }: MailWords): string {
  if (facts.length === 0) return ''
  // A space after each label: programs that take styles out would put the value right after it.
  const rows = facts.map(
    ([label, value, typed]) =>
      `<tr><th scope="row" align="left" valign="top" style="${factLabel}">${escapeHtml(label)}&nbsp;</th><td valign="top" style="${factValue}">${escapeHtml(typed ? isolated(value) : value)}</td></tr>`,
  )
  return `\n<table cellpadding="0" cellspacing="0" border="0" style="margin: 0 0 16px">${rows.join('')}</table>`
}

function belowButton({ until, notYou, reset }: MailWords, frame: Frame): string[] {
  const { link, resetLink, links } = frame
  const words = layoutWords(frame)
  const legal = legalLinks(frame).map(([label, url]) => linkHtml(url, label))
  const belowRule = [
    ...(notYou ? [escapeHtml(notYou)] : []),
    ...(reset && resetLink ? [`${escapeHtml(reset)}<br>${linkHtml(resetLink)}`] : []),
    ...(links.support ? [helpHtml(frame, links.support)] : []),
  ]
  return [
    ...(until ? [paragraph(until, small)] : []),
    `<p style="${small}; margin-top: 24px">${escapeHtml(words.orCopy)}<br>${linkHtml(link)}</p>`,
    ...belowRule.map((html, at) => `<p style="${at === 0 ? rule : small}">${html}</p>`),
    `<p style="${foot}">${[escapeHtml(words.sender), ...legal].join(' &nbsp; ')}</p>`,
  ]
}

/** Returns the help sentence, with the address in it as a link. */
function helpHtml(frame: Frame, support: SupportAddress): string {
  const escaped = escapeHtml(support.text)
  return escapeHtml(helpText(frame, support)).replace(escaped, () =>
    linkHtml(support.href, support.text),
  )
}

function paragraph(text: string, style: string): string {
  return `<p style="${style}">${escapeHtml(text)}</p>`
}

/** Only a URL breaks at any letter: it has no other places, where words would be torn apart. */
function linkHtml(link: string, text = link): string {
  const style = text === link ? `${address}; word-break: break-all` : address
  return `<a href="${escapeHtml(link)}" target="_blank" style="${style}">${escapeHtml(text)}</a>`
}

const [accent] = colours.accent
const [onAccent] = colours.onAccent
const body = `margin: 0; padding: 0; font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif; -webkit-text-size-adjust: 100%`
const column =
  'max-width: 520px; text-align: start; overflow-wrap: anywhere; word-break: break-word'
const tile = `width: 32px; height: 32px; background: ${accent}; border-radius: 9px; color: ${onAccent}; font-size: 17px; font-weight: 700; line-height: 32px`
const name = 'padding: 0 12px; font-size: 18px; font-weight: 650; letter-spacing: -0.01em'
const heading = 'margin: 0 0 16px; font-size: 24px; line-height: 1.25; letter-spacing: -0.02em'
const margin = 'margin: 0 0 16px'
const factLabel = 'padding: 3px 16px 3px 0; font-weight: 400; white-space: nowrap; opacity: 0.75'
const factValue = 'padding: 3px 0; font-weight: 650'
const ground = `background: ${accent}; border-radius: 10px`
const button = `display: inline-block; padding: 13px 22px; background: ${accent}; border-radius: 10px; color: ${onAccent}; font-weight: 650; line-height: 1.25; text-decoration: none`
const small = 'margin: 0 0 16px; font-size: 14px'
const foot = 'margin: 28px 0 0; font-size: 13px; opacity: 0.75'
const address = 'color: inherit; text-decoration: underline'
const rule = `margin: 24px 0 16px; padding-top: 20px; border-top: 1px solid ${colours.control[0]}; font-size: 14px`
