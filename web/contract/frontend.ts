import type { Page } from './pages.ts'

/** What `#frontend` exports as `frontend`: how the server draws pages, and what its scripts need of the CSP. */
export interface Frontend {
  /** The HTML that goes into `<div id="app">`. It depends on the page alone: nothing is kept between pages. */
  render(page: Page): Promise<string>
  /**
   * Names of the Trusted Types policies that the frontend's scripts make: the browser refuses any other. undefined for
   * a page client that cannot work under Trusted Types at all.
   */
  readonly trustedTypes: readonly string[] | undefined
  /** Whether the frontend's scripts make style elements: the policy then allows those with the nonce of the scripts. */
  readonly makesStyles: boolean
}
