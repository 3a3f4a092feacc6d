import { paging } from '#words/paging'
import type { PageLinks } from '../../contract/view/page-links.ts'
import type { Paged } from '../../contract/pages.ts'

interface PaginationProps {
  readonly list: Paged<unknown>
  readonly links: PageLinks
  /** The label of the navigation: what the pages list. */
  readonly label: string
  readonly previous: string
  readonly next: string
}

/** The links to the previous and next page of a list. */
export function Pagination({
  list: { page, pages },
  links,
  label,
  previous,
  next,
}: PaginationProps) {
  if (pages === 1) return null
  return (
    <nav class="page-ways" aria-label={label}>
      {links.previous && (
        <a class="button" rel="prev" href={links.previous}>
          {previous}
        </a>
      )}
      <p class="hint">{paging.page(page, pages)}</p>
      {links.next && (
        <a class="button" rel="next" href={links.next}>
          {next}
        </a>
      )}
    </nav>
  )
}
