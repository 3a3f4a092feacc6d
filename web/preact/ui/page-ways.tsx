import { paging } from '#words/paging'
import type { PageWays as Ways } from '../../contract/view/page-ways.ts'
import type { Paged } from '../../contract/pages.ts'

interface PageWaysProps {
  readonly of: Paged<unknown>
  readonly ways: Ways
  /** The label of the navigation: what the pages list. */
  readonly label: string
  readonly before: string
  readonly after: string
}

/** The links to the page before and the page after, under a list of several pages. */
export function PageWays({ of: { page, pages }, ways, label, before, after }: PageWaysProps) {
  if (pages === 1) return null
  return (
    <nav class="page-ways" aria-label={label}>
      {ways.before && (
        <a class="button" rel="prev" href={ways.before}>
          {before}
        </a>
      )}
      <p class="hint">{paging.page(page, pages)}</p>
      {ways.after && (
        <a class="button" rel="next" href={ways.after}>
          {after}
        </a>
      )}
    </nav>
  )
}
