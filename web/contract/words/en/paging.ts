/** The links below a list of several pages. */
export const paging = {
  page: (page: number, pages: number) => `Page ${page} of ${pages}`,
} as const
