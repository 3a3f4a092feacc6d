import type { Page } from 'playwright-core'

/** Whether an element lies in the window, and under none of the toasts, of which there must be some. */
export function isFree(page: Page, selector: string): Promise<boolean> {
  return page.locator(selector).evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect()
    const toasts = [...document.querySelectorAll('.toast')]
    const isBeside = toasts
      .map((toast) => toast.getBoundingClientRect())
      .every((at) => at.top >= bottom || at.bottom <= top)
    return top >= 0 && bottom <= innerHeight && toasts.length > 0 && isBeside
  })
}
