import type { applyAppearance } from './appearance.ts'
import type { show, shown } from './shown.ts'
import type { reload } from './visits.ts'

/** What the page client lends to `live.ts`, which must not import it: every page would wait for one more file. */
export interface Client {
  readonly reload: typeof reload
  readonly shown: typeof shown
  readonly show: typeof show
  readonly applyAppearance: typeof applyAppearance
}
