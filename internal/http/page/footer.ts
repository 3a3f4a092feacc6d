import { footer as words } from '#words/footer'
import { escapeHtml } from '../../base/escape.ts'
import type { Config } from '../../base/settings/config.ts'

/**
 * The footer of every page, or nothing where no setting names anything for it. It stands beside what the page client
 * draws, which has nothing to do with it.
 */
export function footer({ support, terms, privacy }: Config['links']): string {
  const links = [
    [support?.href, words.support],
    [terms, words.terms],
    [privacy, words.privacy],
  ].flatMap(([href, text = '']) =>
    // Even at an address of this site it is no page of the app.
    href ? `<a href="${escapeHtml(href)}" data-native>${escapeHtml(text)}</a>` : [],
  )
  if (links.length === 0) return ''
  return `<footer class="footer">${links.join(' ')}</footer>`
}
