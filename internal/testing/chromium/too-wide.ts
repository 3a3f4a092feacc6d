import type { Page } from 'playwright-core'

/**
 * Returns the window widths at which a page has content outside it, or hidden content that can be scrolled into view.
 */
export async function tooWide(page: Page, name: string): Promise<string[]> {
  const wide: string[] = []
  for (const width of [320, 360, 1280]) {
    await page.setViewportSize({ width, height: 700 })
    const found = [...(await excess(page)), ...(await moved(page))]
    wide.push(...found.map((what) => `${name} at ${width} px: ${what}`))
  }
  return wide
}

/** Returns by how much a page is wider than its window, and the first elements outside. */
export function excess(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const width = document.documentElement.scrollWidth - innerWidth
    if (width <= 0) return []
    const isHeld = ({ parentElement }: Element): boolean =>
      parentElement !== null &&
      parentElement !== document.body &&
      (getComputedStyle(parentElement).overflowX !== 'visible' || isHeld(parentElement))
    const stickingOut = [...document.querySelectorAll('body *')].filter((element) => {
      const { left, right } = element.getBoundingClientRect()
      // Elements inside a scroll container do not make the page wider.
      return (right > innerWidth + 1 || left < -1) && !isHeld(element)
    })
    const first = stickingOut.slice(0, 3).map(({ outerHTML }) => outerHTML.slice(0, 100))
    return [`${width} px too wide, as by ${first.join(', ')}`]
  })
}

/** Returns elements whose hidden content comes into view when they are scrolled. */
function moved(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const moving = [...document.querySelectorAll('body *')].filter((element) => {
      const { overflowX, clipPath, textOverflow } = getComputedStyle(element)
      // Except scrollable elements, text truncated with an ellipsis, and text for screen readers only.
      if (overflowX !== 'hidden' || clipPath !== 'none' || textOverflow === 'ellipsis') return false
      element.scrollLeft = 50
      const { scrollLeft } = element
      element.scrollLeft = 0
      return scrollLeft > 0
    })
    return moving.map((element) => `moved inside ${element.outerHTML.slice(0, 100)}`)
  })
}
