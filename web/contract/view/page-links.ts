import type { Paged } from '../pages.ts'

/** The URLs of the previous and next page of a list; undefined if there is none. */
export interface PageLinks {
  readonly before: string | undefined
  readonly after: string | undefined
}

/** Returns the links for a list with its page number in the query. */
export function pageLinks({ page, pages }: Paged<unknown>, path: string): PageLinks {
  const at = (number: number) => `${path}?page=${number}`
  return {
    before: page > 1 ? at(page - 1) : undefined,
    after: page < pages ? at(page + 1) : undefined,
  }
}
