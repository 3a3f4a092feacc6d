import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { chromiumOfFile } from '../../../internal/testing/chromium/chromium.ts'
import { ann } from '../../../internal/testing/people.ts'
import { register, verifyAll, serveWithProfile } from '../../../internal/testing/chromium/tab.ts'

const chromium = chromiumOfFile()

test('in forced colours every icon uses the colours of the system', async () => {
  const { page, app } = await serveWithProfile(chromium(), {
    allowed: /status of 404/,
    forcedColors: 'active',
    reducedMotion: 'reduce',
  })
  const findings: string[] = []
  for (const address of ['/', '/login']) {
    await page.goto(address)
    findings.push(...(await findOwnColours(page)))
  }
  await register(page, ann)
  findings.push(...(await findOwnColours(page)))
  await verifyAll(app)
  for (const address of ['/dashboard', '/notifications', '/settings/security', '/no-such-page']) {
    await page.goto(address)
    findings.push(...(await findOwnColours(page)))
  }
  expect(findings).toEqual([])
})

test('in forced colours avatars, tags, sections, the current page and progress stay visible', async () => {
  const { page, app } = await serveWithProfile(chromium(), { forcedColors: 'active' })
  await register(page, ann)
  await verifyAll(app)
  await page.goto('/settings/security')
  const avatar = page.locator('.avatar').first()
  const section = page.locator('.sections li').first()
  expect([
    await avatar.evaluate((element) => getComputedStyle(element).borderTopStyle),
    await outlineOf(section),
    await outlineOf(page.locator('.tag').first()),
  ]).toEqual(['solid', 'solid', 'solid'])
  await page.goto('/notifications')
  expect(await outlineOf(page.locator('.bell[aria-current]'))).toBe('solid')
  await page.goto('/dashboard')
  expect(await outlineOf(page.locator('.product-way[aria-current]'))).toBe('solid')
  const [barColour, pageColour] = await page.evaluate(() => {
    const progress = document.body.appendChild(document.createElement('div'))
    progress.className = 'progress'
    return [progress, document.body].map((element) => getComputedStyle(element).backgroundColor)
  })
  expect(barColour).not.toBe(pageColour)
})

test('in forced colours the samples of light and dark have different backgrounds', async () => {
  const { page, app } = await serveWithProfile(chromium(), { forcedColors: 'active' })
  await register(page, ann)
  await verifyAll(app)
  await page.goto('/settings/appearance')
  const backgrounds = await page
    .locator('.sample')
    .evaluateAll((samples) => samples.map((sample) => getComputedStyle(sample).backgroundColor))
  expect(new Set(backgrounds).size).toBe(2)
})

function outlineOf(element: Locator): Promise<string> {
  return element.evaluate((element) => getComputedStyle(element).outlineStyle)
}

/** Returns the drawings with a colour that the person did not choose, and where it is. */
function findOwnColours(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement('i'))
    const systemColours = new Set<string>()
    for (const name of ['CanvasText', 'LinkText', 'ButtonText', 'Canvas', 'ButtonFace']) {
      probe.style.color = name
      systemColours.add(getComputedStyle(probe).color)
    }
    probe.remove()
    return [...document.querySelectorAll('.icon')].flatMap((icon) => {
      const { color, backgroundColor } = getComputedStyle(icon)
      const ownColours = [color, backgroundColor].filter(
        (colour) => !systemColours.has(colour) && !colour.endsWith(', 0)'),
      )
      return ownColours.map(
        (colour) => `${location.pathname} ${icon.getAttribute('class')} ${colour}`,
      )
    })
  })
}
