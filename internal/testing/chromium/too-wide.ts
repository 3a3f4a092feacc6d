import type { Page } from 'playwright-core'

/**
 * The widths of the window at which a page has content outside it, or hidden content that scrolling brings into sight.
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

/** By how much a page is wider than its window, and the first elements that lie outside. */
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
      // Elements inside one that scrolls by itself do not make the page wider.
      return (right > innerWidth + 1 || left < -1) && !isHeld(element)
    })
    const first = stickingOut.slice(0, 3).map(({ outerHTML }) => outerHTML.slice(0, 100))
    return [`${width} px too wide, as by ${first.join(', ')}`]
  })
}

/** Elements whose hidden content comes into sight when they are scrolled. */
function moved(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const moving = [...document.querySelectorAll('body *')].filter((element) => {
      const { overflowX, clipPath, textOverflow } = getComputedStyle(element)
      // Not elements that a person may scroll, text cut off with an ellipsis, or text for screen readers only.
      if (overflowX !== 'hidden' || clipPath !== 'none' || textOverflow === 'ellipsis') return false
      element.scrollLeft = 50
      const { scrollLeft } = element
      element.scrollLeft = 0
      return scrollLeft > 0
    })
    return moving.map((element) => `moved inside ${element.outerHTML.slice(0, 100)}`)
  })
}
