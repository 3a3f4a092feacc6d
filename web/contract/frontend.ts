import type { Page } from './pages.ts'

/** The `frontend` export of `#frontend`: how the server draws pages, and what its scripts need in the CSP. */
export interface Frontend {
  /** Returns the HTML for `<div id="app">`. It depends on the page alone: no state is kept between pages. */
  render(page: Page): Promise<string>
  /**
   * Names of the Trusted Types policies that the frontend's scripts create: the browser refuses any other.
   * undefined if they cannot work under Trusted Types at all.
   */
  readonly trustedTypes: readonly string[] | undefined
  /** Whether the frontend's scripts create style elements: the CSP then allows those with the right nonce. */
  readonly makesStyles: boolean
}
