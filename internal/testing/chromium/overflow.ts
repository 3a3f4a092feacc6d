import type { Page } from 'playwright-core'

/**
 * Returns the window widths at which a page has content outside it, or hidden content that can be scrolled into view.
 */
export async function findOverflow(page: Page, name: string): Promise<string[]> {
  const findings: string[] = []
  for (const width of [320, 360, 1280]) {
    await page.setViewportSize({ width, height: 700 })
    const overflows = [...(await overflowOf(page)), ...(await hiddenOverflowOf(page))]
    findings.push(...overflows.map((overflow) => `${name} at ${width} px: ${overflow}`))
  }
  return findings
}

/** Returns by how much a page is wider than its window, and the first elements outside. */
export function overflowOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const width = document.documentElement.scrollWidth - innerWidth
    if (width <= 0) return []
    const isInScrollContainer = ({ parentElement }: Element): boolean =>
      parentElement !== null &&
      parentElement !== document.body &&
      (getComputedStyle(parentElement).overflowX !== 'visible' ||
        isInScrollContainer(parentElement))
    const stickingOut = [...document.querySelectorAll('body *')].filter((element) => {
      const { left, right } = element.getBoundingClientRect()
      // Elements inside a scroll container do not make the page wider.
      return (right > innerWidth + 1 || left < -1) && !isInScrollContainer(element)
    })
    const first = stickingOut.slice(0, 3).map(({ outerHTML }) => outerHTML.slice(0, 100))
    return [`${width} px too wide, as by ${first.join(', ')}`]
  })
}

/** Returns elements whose hidden content comes into view when they are scrolled. */
function hiddenOverflowOf(page: Page): Promise<string[]> {
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
