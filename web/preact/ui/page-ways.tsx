import { paging } from '#words/paging'
import type { PageWays as Ways } from '../../contract/view/page-ways.ts'
import type { Paged } from '../../contract/pages.ts'

interface PageWaysProps {
  readonly of: Paged<unknown>
  readonly ways: Ways
  /** What the pages are of. */
  readonly label: string
  readonly before: string
  readonly after: string
}

/** The way to the page before and the one after, under a list that has several. */
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
