import type { Paged } from '../pages.ts'

/** The URLs of the previous and next page of a list; undefined if there is none. */
export interface PageLinks {
  readonly previous: string | undefined
  readonly next: string | undefined
}

/** Returns the links for a list with its page number in the query. */
export function pageLinks({ page, pages }: Paged<unknown>, path: string): PageLinks {
  const pageUrl = (number: number) => `${path}?page=${number}`
  return {
    previous: page > 1 ? pageUrl(page - 1) : undefined,
    next: page < pages ? pageUrl(page + 1) : undefined,
  }
}
