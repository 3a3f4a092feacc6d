import { brandSentence } from '../../../web/brand/brand.ts'
import { serverWords } from '../../../web/contract/words/server-words.ts'
import { escapeHtml } from '../../base/text/escape.ts'
import type { Page } from '../../../web/contract/pages.ts'
import type { App } from '../../app.ts'

/** Builds the meta tags for search engines and link previews; empty for a page that only users see. */
export function description({ assets, config }: App, { component, props }: Page): string {
  const text = serverWords[props.language].descriptions[component]
  if (text === undefined) return ''
  const tag = `<meta name="description" content="${escapeHtml(text)}">`
  // Nobody shares a link to the login page, and each byte of it counts.
  if (component === 'Auth/Login') return tag
  return [
    tag,
    `<meta property="og:image" content="${config.origin}${assets.picture(props.language)}">`,
    `<meta property="og:image:alt" content="${escapeHtml(brandSentence[props.language])}">`,
    '<meta name="twitter:card" content="summary_large_image">',
  ].join('')
}
