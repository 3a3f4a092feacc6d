import type { PageName } from '../../pages.ts'

/** What a search engine shows of a page. */
export const descriptions: Partial<Record<PageName, string>> = {
  Home: 'Registering and logging in, in one executable over one file.',
}
