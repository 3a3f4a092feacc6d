import { de } from './de/lines.ts'
import { en } from './en/lines.ts'
import type { Lines } from '../notification-lines.ts'

/** The lines of one language. All but English may lack some, which are then told in English. */
export interface Catalogue {
  /** BCP 47. */
  readonly language: string
  readonly lines: Partial<Lines>
}

/** One file a language; to add one, add a row. */
export const catalogues: readonly [Catalogue, ...Catalogue[]] = [
  { language: 'en', lines: en },
  { language: 'de', lines: de },
]
