import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type Axe from 'axe-core'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Loads axe into every page opened from now on. */
export function loadAxe(page: Page): Promise<unknown> {
  return page.addInitScript(axe)
}

/**
 * Returns what axe finds on the shown page in either appearance. The context needs `reducedMotion`: otherwise axe
 * would judge colours in mid-transition.
 */
export async function axeViolations(page: Page): Promise<string[]> {
  const violationLines: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const { violations } = await page.evaluate(
      (options) => (window as unknown as { axe: typeof Axe }).axe.run(options),
      // All rules are checked, but only violations reported, which takes a fifth of the time.
      { runOnly: standards, resultTypes: ['violations' as const] },
    )
    const at = `${new URL(page.url()).pathname} ${colorScheme}`
    for (const { id, nodes } of violations)
      violationLines.push(
        ...nodes.map(({ html, failureSummary }) => `${at} ${id}: ${html} ${failureSummary}`),
      )
  }
  return violationLines
}
