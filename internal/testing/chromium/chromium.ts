import type { Browser } from 'playwright-core'
import { beforeAll } from 'vitest'
import { startChromium } from './start-chromium.ts'

/** Shared by all files run by one vitest process: starting a browser takes as long as a short test. */
let started: Promise<Browser> | undefined

/** Returns the Chromium for a file's tests. Each test has a context of its own in it, and it ends with the process. */
export function chromiumOfFile(): () => Browser {
  let browser: Browser | undefined
  beforeAll(async () => {
    if (!(await started)?.isConnected()) started = startChromium()
    browser = await started
  }, 60_000)
  return () => {
    if (!browser) throw new Error('Chromium starts before the first test, not before that.')
    return browser
  }
}
