import { globSync, readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { chromiumOfFile } from '../internal/testing/chromium/chromium.ts'
import { ann } from '../internal/testing/people.ts'
import { register, verifyAll, serveWithProfile } from '../internal/testing/chromium/tab.ts'
import { dashboard } from '#words/dashboard'

const chromium = chromiumOfFile()
const ofGuests = ['/', '/login', '/register', '/no-such-page']
const ofUsers = [
  '/dashboard',
  '/notifications',
  '/settings/profile',
  '/settings/security',
  '/settings/tokens',
  '/settings/appearance',
]
/** Elements with a horizontal position of their own, open menus and decoration too. */
const placed =
  'h1, h2, .brand, .button, .bell, .count, .menu summary, .menu-panel, input, legend, .panel, .poster, .footer a'

/** Declarations that distinguish left from right, each with the reason why it may. */
const physical: Readonly<Record<string, string>> = {
  'border-width: 0 1.5px 1.5px 0;':
    'Two sides of a square that is turned to point down, the same either way.',
  'transform-origin: 0 0': 'There is no logical one; the rule for rtl follows it.',
  'transform-origin: 100% 0': 'The rule for rtl.',
}

// Sides named by a property or value, horizontal shifts, and the second and fourth of four values.
const sides = [
  /(?:^|[-\s;{])(?:left|right)(?:-[\w-]+)?\s*:[^;}]*/g,
  /\b(?:text-align|float|clear|justify-\w+)\s*:\s*(?:left|right)/g,
  /\btransform-origin\s*:[^;}]*/g,
  /\btranslateX\([^)]*\)|\btranslate\((?!0[,)])[^)]*\)|\btranslate\s*:\s*(?!\s|0[;\s]|none)[^;}]*/g,
]
const shorthand = /\b(?:margin|padding|inset|border-\w+)\s*:\s*\S+ (\S+) \S+ (?!\1[;\s])\S+;/g

test('no stylesheet distinguishes left from right, except in the listed declarations', () => {
  const found = ['web/style.css', ...globSync('web/styles/*.css')].flatMap((file) => {
    const css = readFileSync(file, 'utf8').replaceAll(/\/\*.*?\*\//gs, '')
    const declarations = sides.flatMap((side) => css.match(side) ?? [])
    const four = withoutCalculations(css).match(shorthand) ?? []
    return [...declarations, ...four].map((text) => text.trim())
  })
  expect(found.toSorted()).toEqual(Object.keys(physical).toSorted())
})

test('in a right-to-left layout each page is its own mirror image, wide and narrow', async () => {
  const { page, app } = await serveWithProfile(chromium(), { allowed: /status of 404/ })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const odd = await mirrored(page, ofGuests)
  await register(page, ann)
  await verifyAll(app)
  odd.push(...(await mirrored(page, ofUsers)))
  expect(odd).toEqual([])
})

test('a right-to-left name begins at the same edge as any other name', async () => {
  const { page, app } = await serveWithProfile(chromium())
  await register(page, { ...ann, name: 'שרה כהן' })
  await verifyAll(app)
  await page.goto('/dashboard')
  const apart = await page
    .locator('#app .panel .clamp')
    .first()
    .evaluate((name) => {
      const text = document.createRange()
      text.selectNodeContents(name)
      return text.getBoundingClientRect().left - name.getBoundingClientRect().left
    })
  expect(Math.abs(apart)).toBeLessThan(2)
})

test('punctuation at the end of a right-to-left name stays at its end within a sentence', async () => {
  const { page, app } = await serveWithProfile(chromium())
  const name = 'שרה!'
  await register(page, { ...ann, name })
  await verifyAll(app)
  await page.goto('/dashboard')
  const heading = page.getByRole('heading', { name: dashboard.heading(name) })
  const [first, last] = await heading.evaluate((element, letters) => {
    const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode()
    return letters.map((letter) => {
      const range = document.createRange()
      const at = text?.textContent?.indexOf(letter) ?? 0
      if (text) range.setStart(text, at)
      if (text) range.setEnd(text, at + 1)
      return range.getBoundingClientRect().left
    })
  }, Array.from('ש!'))
  expect(last).toBeLessThan(first ?? 0)
})

/** Returns a stylesheet without parentheses, so that no value of a shorthand has spaces. */
function withoutCalculations(css: string): string {
  const inner = css.replaceAll(/\([^()]*\)/g, '')
  return inner === css ? css : withoutCalculations(inner)
}

/** Returns what is not mirrored, or sticks out of the page, when the direction is right to left. */
async function mirrored(page: Page, paths: readonly string[]): Promise<string[]> {
  const odd: string[] = []
  for (const path of paths) {
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 800 })
      await page.goto(path)
      await openMenus(page)
      const before = await places(page)
      await page.evaluate(() => (document.documentElement.dir = 'rtl'))
      const after = await places(page)
      const isOdd = before.filter(
        ({ start, end }, at) =>
          Math.abs(start - (after[at]?.end ?? NaN)) >= 1.5 ||
          Math.abs(end - (after[at]?.start ?? NaN)) >= 1.5,
      )
      const reach = await page.evaluate(() => document.documentElement.scrollWidth)
      if (reach > width) odd.push(`${path} ${width} reaches to ${reach}`)
      odd.push(...isOdd.map(({ description: what }) => `${path} ${width} ${what}`))
    }
  }
  return odd
}

function openMenus(page: Page): Promise<void> {
  return page.evaluate(() => {
    for (const menu of document.querySelectorAll('details')) menu.open = true
  })
}

/** Returns how far each placed element is from both sides of the page. */
function places(page: Page): Promise<{ description: string; start: number; end: number }[]> {
  return page.evaluate((selector) => {
    const width = document.documentElement.clientWidth
    return [...document.querySelectorAll(selector)]
      .filter((element) => element.checkVisibility())
      .map((element) => {
        const { left, right } = element.getBoundingClientRect()
        const description = `${element.tagName} ${element.className} ${element.textContent?.slice(0, 30)}`
        return { description, start: left, end: width - right }
      })
  }, placed)
}
