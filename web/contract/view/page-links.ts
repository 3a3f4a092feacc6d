import type { Paged } from '../pages.ts'

/** Where the pages of a list before and after the shown one are; undefined where there is none. */
export interface PageLinks {
  readonly before: string | undefined
  readonly after: string | undefined
}

/** The ways for a list whose pages are at its path, with their number in the query. */
export function pageLinks({ page, pages }: Paged<unknown>, path: string): PageLinks {
  const at = (number: number) => `${path}?page=${number}`
  return {
    before: page > 1 ? at(page - 1) : undefined,
    after: page < pages ? at(page + 1) : undefined,
  }
}
