import type { Page } from 'playwright-core'

/** At which widths of the window something of a page lies beside it, or comes into sight as something is scrolled to. */
export async function tooWide(page: Page, name: string): Promise<string[]> {
  const wide: string[] = []
  for (const width of [320, 360, 1280]) {
    await page.setViewportSize({ width, height: 700 })
    wide.push(...(await beside(page)).map((what) => `${name} at ${width} px: ${what}`))
  }
  return wide
}

function beside(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const excess = document.documentElement.scrollWidth - innerWidth
    const stickingOut = [...document.querySelectorAll('body *')].filter((element) => {
      const { left, right } = element.getBoundingClientRect()
      return right > innerWidth + 1 || left < -1
    })
    const widest = stickingOut.slice(0, 3).map(({ outerHTML }) => outerHTML.slice(0, 100))
    const moved = [...document.querySelectorAll('body *')].filter((element) => {
      const { overflowX, clipPath, textOverflow } = getComputedStyle(element)
      // What a person may scroll, and text that says that it is cut, are meant so; and of what is for ears nothing is seen.
      if (overflowX !== 'hidden' || clipPath !== 'none' || textOverflow === 'ellipsis') return false
      element.scrollLeft = 50
      const { scrollLeft } = element
      element.scrollLeft = 0
      return scrollLeft > 0
    })
    return [
      ...(excess > 0 ? [`${excess} px too wide, as by ${widest.join(', ')}`] : []),
      ...moved.map((element) => `moved inside ${element.outerHTML.slice(0, 100)}`),
    ]
  })
}
