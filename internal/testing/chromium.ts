import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { startChromium } from './start-chromium.ts'

/** One Chromium for the tests of a file. Each of them has a context of its own in it. */
export function chromiumOfFile(): () => Browser {
  let browser: Browser | undefined
  beforeAll(async () => {
    browser = await startChromium()
  }, 60_000)
  afterAll(() => browser?.close())
  return () => {
    if (!browser) throw new Error('Chromium starts before the first test, not before that.')
    return browser
  }
}
