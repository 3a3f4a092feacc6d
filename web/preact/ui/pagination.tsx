import { paging } from '#words/paging'
import type { PageLinks } from '../../contract/view/page-links.ts'
import type { Paged } from '../../contract/pages.ts'

interface PaginationProps {
  readonly of: Paged<unknown>
  readonly links: PageLinks
  /** The label of the navigation: what the pages list. */
  readonly label: string
  readonly before: string
  readonly after: string
}

/** The links to the previous and next page of a list. */
export function Pagination({ of: { page, pages }, links, label, before, after }: PaginationProps) {
  if (pages === 1) return null
  return (
    <nav class="page-ways" aria-label={label}>
      {links.before && (
        <a class="button" rel="prev" href={links.before}>
          {before}
        </a>
      )}
      <p class="hint">{paging.page(page, pages)}</p>
      {links.after && (
        <a class="button" rel="next" href={links.after}>
          {after}
        </a>
      )}
    </nav>
  )
}
