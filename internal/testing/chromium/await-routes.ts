import type { BrowserContext, Page } from 'playwright-core'

/** What is asked for to see whether requests come by the routes of a test. The server would answer it, too. */
const probe = '/up?routed'

/**
 * Makes `route` wait until the requests of open pages come by the routes of a test: Chromium tells a page of the first
 * one after it has told the test, and what the page asks for until then passes by. It stays so when no route is left,
 * since what is asked for as Chromium stops telling of requests may never be answered.
 */
export function awaitRoutes(context: BrowserContext): void {
  const routeAll = context.route.bind(context)
  let started: Promise<void> | undefined
  const start = async () => {
    await routeAll(/\/up\?routed$/, (route) => route.fulfill({ body: 'routed' }))
    await Promise.all(context.pages().map(comesBy))
  }
  const wait = (routed: BrowserContext | Page) => {
    const route = routed.route.bind(routed)
    routed.route = async (...how) => {
      await (started ??= start())
      return route(...how)
    }
  }
  wait(context)
  context.on('page', wait)
}

async function comesBy(page: Page): Promise<void> {
  if (!page.url().startsWith('http')) return
  const ask = `fetch('${probe}').then((answer) => answer.text())`
  while ((await page.evaluate(ask)) !== 'routed');
}
