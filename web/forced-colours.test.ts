import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { chromiumOfFile } from '../internal/testing/chromium/chromium.ts'
import { ann } from '../internal/testing/people.ts'
import { register, verifyAll, serveWithProfile } from '../internal/testing/chromium/tab.ts'

const chromium = chromiumOfFile()

test('in forced colours every icon uses the colours of the system', async () => {
  const { page, app } = await serveWithProfile(chromium(), {
    allowed: /status of 404/,
    forcedColors: 'active',
    reducedMotion: 'reduce',
  })
  const own: string[] = []
  for (const address of ['/', '/login']) {
    await page.goto(address)
    own.push(...(await ownColours(page)))
  }
  await register(page, ann)
  own.push(...(await ownColours(page)))
  await verifyAll(app)
  for (const address of ['/dashboard', '/notifications', '/settings/security', '/no-such-page']) {
    await page.goto(address)
    own.push(...(await ownColours(page)))
  }
  expect(own).toEqual([])
})

test('in forced colours avatars, tags, sections, the current page and progress stay visible', async () => {
  const { page, app } = await serveWithProfile(chromium(), { forcedColors: 'active' })
  await register(page, ann)
  await verifyAll(app)
  await page.goto('/settings/security')
  const circle = page.locator('.avatar').first()
  const section = page.locator('.sections li').first()
  expect([
    await circle.evaluate((there) => getComputedStyle(there).borderTopStyle),
    await outline(section),
    await outline(page.locator('.tag').first()),
  ]).toEqual(['solid', 'solid', 'solid'])
  await page.goto('/notifications')
  expect(await outline(page.locator('.bell[aria-current]'))).toBe('solid')
  await page.goto('/dashboard')
  expect(await outline(page.locator('.product-way[aria-current]'))).toBe('solid')
  const [bar, behind] = await page.evaluate(() => {
    const progress = document.body.appendChild(document.createElement('div'))
    progress.className = 'progress'
    return [progress, document.body].map((each) => getComputedStyle(each).backgroundColor)
  })
  expect(bar).not.toBe(behind)
})

test('in forced colours the samples of light and dark have different backgrounds', async () => {
  const { page, app } = await serveWithProfile(chromium(), { forcedColors: 'active' })
  await register(page, ann)
  await verifyAll(app)
  await page.goto('/settings/appearance')
  const grounds = await page
    .locator('.sample')
    .evaluateAll((samples) => samples.map((each) => getComputedStyle(each).backgroundColor))
  expect(new Set(grounds).size).toBe(2)
})

function outline(element: Locator): Promise<string> {
  return element.evaluate((there) => getComputedStyle(there).outlineStyle)
}

/** Returns the drawings with a colour that the person did not choose, and where it is. */
function ownColours(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement('i'))
    const chosen = new Set<string>()
    for (const name of ['CanvasText', 'LinkText', 'ButtonText', 'Canvas', 'ButtonFace']) {
      probe.style.color = name
      chosen.add(getComputedStyle(probe).color)
    }
    probe.remove()
    return [...document.querySelectorAll('.icon')].flatMap((icon) => {
      const { color, backgroundColor } = getComputedStyle(icon)
      const own = [color, backgroundColor].filter(
        (each) => !chosen.has(each) && !each.endsWith(', 0)'),
      )
      return own.map((each) => `${location.pathname} ${icon.getAttribute('class')} ${each}`)
    })
  })
}
