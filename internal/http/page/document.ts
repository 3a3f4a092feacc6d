import { colours } from '../../../web/brand/colours.ts'
import { scriptBeforePaint } from '../../../web/client/core/before-paint.ts'
import { groupOf, sheetOf } from '../../../web/contract/groups.ts'
import { documentTitle } from '../../../web/contract/name.ts'
import { titleOf } from '../../../web/contract/titles/title-of.ts'
import { languages } from '../../../web/contract/languages.ts'
import { serverWords } from '../../../web/contract/words/server-words.ts'
import { escapeHtml } from '../../base/text/escape.ts'
import { description } from './description.ts'
import { footer } from './footer.ts'
import { frontendOf } from './frontend-of.ts'
import type { Page } from '../../../web/contract/pages.ts'
import type { App } from '../../app.ts'

const [light, dark] = colours.bg

/** Renders a page's HTML document, with the page object embedded for the client (contract: Page protocol). */
export async function document(app: App, page: Page, nonce: string): Promise<string> {
  const { assets, config } = app
  const { language } = page.props
  const { titles } = serverWords[language]
  const scripts = assets.scripts(language)
  const sheet = sheetOf(groupOf(page.component))
  const preloads = scripts
    .modules(page.component)
    .map((path) => `<link rel="modulepreload" href="${path}" nonce="${nonce}">`)
  return [
    `<!doctype html><html lang="${language}" dir="${languages[language].direction}"><head>`,
    '<meta charset="utf-8">',
    `<title>${escapeHtml(documentTitle(page, titleOf(titles, page)))}</title>`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    // Browsers take the first that applies. The script below makes the dark one apply or not by appearance.
    `<meta name="theme-color" content="${dark}" media="(prefers-color-scheme:dark)"><meta name="theme-color" content="${light}">`,
    description(app, page),
    // Applies the chosen appearance before the first paint (spec: Frontend).
    `<script nonce="${nonce}">${scriptBeforePaint}</script>`,
    `<link rel="stylesheet" href="${assets.style}">`,
    sheet ? `<link rel="stylesheet" href="${assets.sheet(sheet)}">` : '',
    `<link rel="icon" href="${assets.icon}">`,
    `<script type="module" src="${scripts.entry}" nonce="${nonce}"></script>`,
    ...preloads,
    '</head><body><div id="app">',
    focusInvalid(await frontendOf(app, language).render(page)),
    '</div>',
    footer(config.links, page),
    `<script type="application/json" id="page" data-page="app">${embedded(page)}</script>`,
    '</body></html>',
  ].join('')
}

/**
 * Lets the browser focus the first invalid field, unless the page names a field to focus. Without JavaScript nothing
 * else would scroll to the errors of a failed form: its page opens at the top.
 */
function focusInvalid(html: string): string {
  if (html.includes(' autofocus')) return html
  return html.replace(/(<(?:input|select|textarea) [^<]*?aria-invalid="true")/, '$1 autofocus')
}

const inScript: Record<string, string> = {
  '<': '\\u003c',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
}

// Escapes what could end the script element (security rule 11).
function embedded(page: Page): string {
  return JSON.stringify(page).replace(/[<\u2028\u2029]/g, (character) => inScript[character] ?? '')
}
