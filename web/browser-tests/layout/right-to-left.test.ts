import { globSync, readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { chromiumOfFile } from '../../../internal/testing/chromium/chromium.ts'
import { ann } from '../../../internal/testing/people.ts'
import { register, verifyAll, serveWithProfile } from '../../../internal/testing/chromium/tab.ts'
import { dashboard } from '#words/dashboard'

const chromium = chromiumOfFile()
const guestPaths = ['/', '/login', '/register', '/no-such-page']
const userPaths = [
  '/dashboard',
  '/notifications',
  '/settings/profile',
  '/settings/security',
  '/settings/tokens',
  '/settings/appearance',
]
/** Elements with a horizontal position of their own, open menus and decoration too. */
const positionedElements =
  'h1, h2, .brand, .button, .bell, .count, .menu summary, .menu-panel, input, legend, .panel, .poster, .footer a'

/** Declarations that distinguish left from right, each with the reason why it may. */
const allowedDeclarations: Readonly<Record<string, string>> = {
  'border-width: 0 1.5px 1.5px 0;':
    'Two sides of a square that is turned to point down, the same either way.',
  'transform-origin: 0 0': 'There is no logical one; the rule for rtl follows it.',
  'transform-origin: 100% 0': 'The rule for rtl.',
}

// Sides named by a property or value, horizontal shifts, and the second and fourth of four values.
const sidePatterns = [
  /(?:^|[-\s;{])(?:left|right)(?:-[\w-]+)?\s*:[^;}]*/g,
  /\b(?:text-align|float|clear|justify-\w+)\s*:\s*(?:left|right)/g,
  /\btransform-origin\s*:[^;}]*/g,
  /\btranslateX\([^)]*\)|\btranslate\((?!0[,)])[^)]*\)|\btranslate\s*:\s*(?!\s|0[;\s]|none)[^;}]*/g,
]
const shorthand = /\b(?:margin|padding|inset|border-\w+)\s*:\s*\S+ (\S+) \S+ (?!\1[;\s])\S+;/g

test('no stylesheet distinguishes left from right, except in the listed declarations', () => {
  const findings = ['web/style.css', ...globSync('web/styles/*.css')].flatMap((file) => {
    const css = readFileSync(file, 'utf8').replaceAll(/\/\*.*?\*\//gs, '')
    const declarations = sidePatterns.flatMap((pattern) => css.match(pattern) ?? [])
    const shorthands = withoutCalculations(css).match(shorthand) ?? []
    return [...declarations, ...shorthands].map((text) => text.trim())
  })
  expect(findings.toSorted()).toEqual(Object.keys(allowedDeclarations).toSorted())
})

test('in a right-to-left layout each page is its own mirror image, wide and narrow', async () => {
  const { page, app } = await serveWithProfile(chromium(), { allowed: /status of 404/ })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const findings = await findUnmirrored(page, guestPaths)
  await register(page, ann)
  await verifyAll(app)
  findings.push(...(await findUnmirrored(page, userPaths)))
  expect(findings).toEqual([])
})

test('a right-to-left name begins at the same edge as any other name', async () => {
  const { page, app } = await serveWithProfile(chromium())
  await register(page, { ...ann, name: 'שרה כהן' })
  await verifyAll(app)
  await page.goto('/dashboard')
  const distance = await page
    .locator('#app .panel .clamp')
    .first()
    .evaluate((name) => {
      const text = document.createRange()
      text.selectNodeContents(name)
      return text.getBoundingClientRect().left - name.getBoundingClientRect().left
    })
  expect(Math.abs(distance)).toBeLessThan(2)
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
      const index = text?.textContent?.indexOf(letter) ?? 0
      if (text) range.setStart(text, index)
      if (text) range.setEnd(text, index + 1)
      return range.getBoundingClientRect().left
    })
  }, Array.from('ש!'))
  expect(last).toBeLessThan(first ?? 0)
})

/** Returns a stylesheet without parentheses, so that no value of a shorthand has spaces. */
function withoutCalculations(css: string): string {
  const stripped = css.replaceAll(/\([^()]*\)/g, '')
  return stripped === css ? css : withoutCalculations(stripped)
}

/** Returns what is not mirrored, or sticks out of the page, when the direction is right to left. */
async function findUnmirrored(page: Page, paths: readonly string[]): Promise<string[]> {
  const findings: string[] = []
  for (const path of paths) {
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 800 })
      await page.goto(path)
      await openMenus(page)
      const before = await positionsOf(page)
      await page.evaluate(() => (document.documentElement.dir = 'rtl'))
      const after = await positionsOf(page)
      const unmirrored = before.filter(
        ({ start, end }, index) =>
          Math.abs(start - (after[index]?.end ?? NaN)) >= 1.5 ||
          Math.abs(end - (after[index]?.start ?? NaN)) >= 1.5,
      )
      const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth)
      if (scrollWidth > width) findings.push(`${path} ${width} reaches to ${scrollWidth}`)
      findings.push(...unmirrored.map(({ description }) => `${path} ${width} ${description}`))
    }
  }
  return findings
}

function openMenus(page: Page): Promise<void> {
  return page.evaluate(() => {
    for (const menu of document.querySelectorAll('details')) menu.open = true
  })
}

/** Returns how far each placed element is from both sides of the page. */
function positionsOf(page: Page): Promise<{ description: string; start: number; end: number }[]> {
  return page.evaluate((selector) => {
    const width = document.documentElement.clientWidth
    return [...document.querySelectorAll(selector)]
      .filter((element) => element.checkVisibility())
      .map((element) => {
        const { left, right } = element.getBoundingClientRect()
        const description = `${element.tagName} ${element.className} ${element.textContent?.slice(0, 30)}`
        return { description, start: left, end: width - right }
      })
  }, positionedElements)
}
