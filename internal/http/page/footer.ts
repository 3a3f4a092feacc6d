import { type Language, languageNames, languages } from '../../../web/contract/languages.ts'
import { paths } from '../../../web/contract/paths.ts'
import { serverWords } from '../../../web/contract/words/server-words.ts'
import { escapeHtml } from '../../base/text/escape.ts'
import type { Config } from '../../base/settings/config.ts'
import type { Page, SharedProps } from '../../../web/contract/pages.ts'

/**
 * Renders the footer of a page: the links from the settings, and the other languages. It lies outside what
 * the page client renders, which never changes it.
 */
export function footer(links: Config['links'], { props }: Page): string {
  const { language } = props
  return `<footer class="footer">${[...siteLinks(links, language), choice(props)].join(' ')}</footer>`
}

function siteLinks({ support, terms, privacy }: Config['links'], language: Language): string[] {
  const words = serverWords[language].footer
  const entries = [
    [support?.href, words.support],
    [terms, words.terms],
    [privacy, words.privacy],
  ]
  return entries.flatMap(([href, text = '']) =>
    // Even on this site, it is no page that the page client can show.
    href ? `<a href="${escapeHtml(href)}" data-native>${escapeHtml(text)}</a>` : [],
  )
}

/**
 * Renders the other languages as a form sent by the browser itself: the next page has other scripts. It does not
 * name the user of the page: the footer stays, whoever logs in by the page client, and they choose for themselves.
 */
function choice({ language }: SharedProps): string {
  const others = languageNames.filter((name) => name !== language)
  const buttons = others.map(
    (name) =>
      `<button name="language" value="${name}" lang="${name}">${languages[name].name}</button>`,
  )
  return `<form method="post" action="${paths['language.update']}" data-native><input type="hidden" name="_method" value="PUT">${buttons.join('')}</form>`
}
