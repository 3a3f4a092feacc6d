import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type Axe from 'axe-core'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Has axe on every page that is loaded from now on. */
export function bringAxe(page: Page): Promise<unknown> {
  return page.addInitScript(axe)
}

/** What axe finds on the shown page in either appearance. */
export async function faults(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const { violations } = await page.evaluate(
      (standards) => (window as unknown as { axe: typeof Axe }).axe.run({ runOnly: standards }),
      standards,
    )
    const at = `${new URL(page.url()).pathname} ${colorScheme}`
    for (const { id, nodes } of violations)
      found.push(
        ...nodes.map(({ html, failureSummary }) => `${at} ${id}: ${html} ${failureSummary}`),
      )
  }
  return found
}
