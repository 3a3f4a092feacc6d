import type { Page } from './pages.ts'

/** What `#frontend` exports as `frontend`: how the server draws pages, and what their scripts need of the policy. */
export interface Frontend {
  /** The HTML that goes into `<div id="app">`. It depends on the page alone: nothing is kept between pages. */
  render(page: Page): Promise<string>
  /**
   * Names of the Trusted Types policies that its scripts make, which are the only ones that they can make; undefined for
   * a page client that cannot work under Trusted Types at all.
   */
  readonly trustedTypes: readonly string[] | undefined
  /** Whether its scripts make style elements: the policy then lets in those that carry the nonce of the scripts. */
  readonly makesStyles: boolean
}
