import type { Page } from 'playwright-core'

/** At which widths of the window something of a page lies beside it, or comes into sight as something is scrolled to. */
export async function tooWide(page: Page, name: string): Promise<string[]> {
  const wide: string[] = []
  for (const width of [320, 360, 1280]) {
    await page.setViewportSize({ width, height: 700 })
    const found = [...(await excess(page)), ...(await moved(page))]
    wide.push(...found.map((what) => `${name} at ${width} px: ${what}`))
  }
  return wide
}

/** By how much a page is wider than its window, and what the first is that lies beside it. */
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
      // What lies in something that scrolls by itself makes no page wider.
      return (right > innerWidth + 1 || left < -1) && !isHeld(element)
    })
    const first = stickingOut.slice(0, 3).map(({ outerHTML }) => outerHTML.slice(0, 100))
    return [`${width} px too wide, as by ${first.join(', ')}`]
  })
}

/** What comes into sight inside of something as it is scrolled to. */
function moved(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const moving = [...document.querySelectorAll('body *')].filter((element) => {
      const { overflowX, clipPath, textOverflow } = getComputedStyle(element)
      // What a person may scroll, and text that says that it is cut, are meant so; and of what is for ears nothing is seen.
      if (overflowX !== 'hidden' || clipPath !== 'none' || textOverflow === 'ellipsis') return false
      element.scrollLeft = 50
      const { scrollLeft } = element
      element.scrollLeft = 0
      return scrollLeft > 0
    })
    return moving.map((element) => `moved inside ${element.outerHTML.slice(0, 100)}`)
  })
}
