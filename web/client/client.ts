import { followAppearance } from './appearance.ts'
import { closeMenus, showPassword } from './controls.ts'
import { onForgotten } from './history-key.ts'
import { followLink } from './links.ts'
import { sendForm } from './forms.ts'
import { rememberScroll } from './entries.ts'
import { open } from './shown.ts'
import { checkField } from './validation.ts'
import { reload, restore } from './visits.ts'
import type { Page } from '../contract/pages.ts'

/**
 * The page client: it takes over a page that the server rendered, and works on the document alone, so that
 * the markup is plain HTML and the same in every frontend. What the markup says:
 *
 * - `<a href>` to this site is followed by the page protocol, unless it has `target`, `download` or `data-native`.
 * - `<form method action>` likewise, with its submitter's name, value and `form…` attributes. While it is in
 *   flight its submit buttons are `aria-busy` and a second submit is not sent. After success on the same page
 *   it is reset, so its fields take their values from `defaultValue`.
 * - `data-preserve-scroll` on either keeps scroll and focus where they are.
 * - `<form data-validate>` has a field checked by the server as it is left; its errors come as the page's
 *   `errors`. A field with an error is `aria-invalid="true"`: the first gets the focus when a form fails.
 * - `<button type="button" data-show-password="ID">` shows and hides the password in the input of that ID.
 * - A page with `data-look-again` somewhere waits for something done elsewhere: it is asked for anew when its tab is
 *   shown again.
 * - `<details data-menu>` closes on a click outside, on Escape, and on the next page.
 * - The main heading is the page's first `h1`: it gets the focus on a new page unless `[autofocus]` does.
 *
 * It adds to the body `#announce`, `#progress` and `#toasts`; the stylesheet has their looks.
 */
export interface Frontend {
  /** Draws a page into `#app`; the first over the server's markup. Loads the page's module if it is not there. */
  show(page: Page, how: { readonly first: boolean }): Promise<void>
}

/** Takes over the page that the document carries. */
export async function startClient(frontend: Frontend): Promise<void> {
  const embedded = document.querySelector('#page')
  if (!embedded?.textContent) throw new Error('The document carries no page object.')
  const first = JSON.parse(embedded.textContent) as Page
  // It would stay in the document after a logout, with the user in it.
  embedded.remove()
  await open((page, how) => frontend.show(page, how), first)
  document.addEventListener('click', (event) => {
    closeMenus(event)
    showPassword(event)
    followLink(event)
  })
  document.addEventListener('keydown', closeMenus)
  document.addEventListener('submit', sendForm)
  document.addEventListener('focusout', checkField)
  addEventListener('popstate', restore)
  addEventListener('scroll', rememberScroll, { passive: true })
  document.addEventListener('visibilitychange', lookAgain)
  followAppearance()
  onForgotten(() => void reload({}))
}

function lookAgain(): void {
  const isShown = document.visibilityState === 'visible'
  if (isShown && document.querySelector('[data-look-again]')) void reload({})
}
