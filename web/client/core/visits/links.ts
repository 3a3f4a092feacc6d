import { storeScroll } from '../history/entries.ts'
import { visit } from './visits.ts'

/** Follows a clicked link by the page protocol, unless the browser must follow it itself. */
export function followLink(event: MouseEvent): void {
  const link = (event.target as Element).closest<HTMLAnchorElement>('a[href]')
  // Also for a link to a fragment of this page, whose history entry the browser makes itself.
  if (link) storeScroll()
  if (!link || event.defaultPrevented || !isPlainClick(event) || !isOurs(link, location)) return
  event.preventDefault()
  void visit(link.href, { preserveScroll: link.hasAttribute('data-preserve-scroll') })
}

type Click = Pick<MouseEvent, 'button' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>

/** Whether a click opens no new tab or window and starts no download. */
export function isPlainClick({ button, ctrlKey, metaKey, shiftKey, altKey }: Click): boolean {
  return button === 0 && !(ctrlKey || metaKey || shiftKey || altKey)
}

type Link = Pick<HTMLAnchorElement, 'origin' | 'pathname' | 'search' | 'hash'> & {
  matches(selector: string): boolean
}

/** Whether a link leads to another page of this site, in this tab. */
export function isOurs(link: Link, here: Location | URL): boolean {
  if (link.matches('[target],[download],[data-native]')) return false
  if (link.origin !== here.origin) return false
  return !(link.hash && link.pathname + link.search === here.pathname + here.search)
}
