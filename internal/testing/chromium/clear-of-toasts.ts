import type { Page } from 'playwright-core'

/** Whether an element is inside the window and not covered by any toast; there must be toasts. */
export function isClearOfToasts(page: Page, selector: string): Promise<boolean> {
  return page.locator(selector).evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect()
    const toasts = [...document.querySelectorAll('.toast')]
    const isBeside = toasts
      .map((toast) => toast.getBoundingClientRect())
      .every((toastBox) => toastBox.top >= bottom || toastBox.bottom <= top)
    return top >= 0 && bottom <= innerHeight && toasts.length > 0 && isBeside
  })
}
