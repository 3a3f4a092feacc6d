import { brandSentence } from '../../../brand/brand.ts'
import type { PageName } from '../../pages.ts'

/** What a search engine shows of a page. */
export const descriptions: Partial<Record<PageName, string>> = {
  Home: brandSentence.en,
}
