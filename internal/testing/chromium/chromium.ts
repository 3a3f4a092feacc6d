import type { Browser } from 'playwright-core'
import { beforeAll } from 'vitest'
import { startChromium } from './start-chromium.ts'

/** Shared by all files that one process of vitest runs: to start a browser takes as long as a short test. */
let started: Promise<Browser> | undefined

/** The Chromium of a file's tests. Each of them has a context of its own in it, and it ends with the process. */
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
